import type {
  Container,
  ContainerPort,
  ContainerRestartRule,
  ContainerRestartRuleOnExitCodes,
  EphemeralContainer,
  ResourceRequirements,
  VolumeMount,
} from '@wherry/kubeapi';
import { actedOn, type MessageVerdicts, noEffect, refused, refusedWhen, warnedWhen } from './verdict.ts';

const configured = 'kubelet/runtime/container-config';
const probed = 'kubelet/probes/probe-manager';

export const container: MessageVerdicts<Container> = {
  name: actedOn(configured),
  image: actedOn(configured, 'kubelet/images/image-manager'),
  command: actedOn(configured),
  args: actedOn(configured),
  workingDir: actedOn(configured),
  ports: actedOn('kubelet/runtime/sandbox-config', 'podrules/host-ports'),
  envFrom: actedOn('kubelet/environment/environment'),
  env: actedOn('kubelet/environment/environment'),
  resources: actedOn('kubelet/runtime/resources', 'podrules/quality-of-service'),
  resizePolicy: noEffect(
    'says how a resize is made, and a running pod is never resized here; the API server fills it in',
  ),
  restartPolicy: actedOn('kubelet/runtime/restart-policy', 'podrules/pod-state'),
  restartPolicyRules: actedOn('kubelet/runtime/restart-policy'),
  volumeMounts: actedOn('kubelet/volumes/container-mounts'),
  volumeDevices: refused('block volumes are not supported by this kubelet; mount a file system instead'),
  livenessProbe: actedOn('kubelet/runtime/pod-actions'),
  readinessProbe: actedOn(probed),
  startupProbe: actedOn(probed),
  lifecycle: actedOn('kubelet/runtime/container-starter', 'kubelet/runtime/container-killer'),
  terminationMessagePath: actedOn('kubelet/volumes/container-mounts'),
  terminationMessagePolicy: actedOn('kubelet/runtime/labels', 'kubelet/runtime/termination-message'),
  imagePullPolicy: actedOn('kubelet/images/image-manager'),
  securityContext: actedOn('kubelet/runtime/security-context'),
  stdin: actedOn(configured),
  stdinOnce: actedOn(configured),
  tty: actedOn(configured),
};

export const ephemeralContainer: MessageVerdicts<EphemeralContainer> = {
  ...container,
  targetContainerName: actedOn('kubelet/pod/containers'),
};

export const containerPort: MessageVerdicts<ContainerPort> = {
  name: actedOn('kubelet/runtime/sandbox-config', 'kubelet/probes/http-target'),
  hostPort: actedOn('kubelet/runtime/sandbox-config', 'podrules/host-ports'),
  containerPort: actedOn('kubelet/runtime/sandbox-config'),
  protocol: actedOn('kubelet/runtime/sandbox-config'),
  hostIP: actedOn('kubelet/runtime/sandbox-config'),
};

type Amounts = Record<string, string>;

const isHugePage = (name: string) => name.startsWith('hugepages-');
const noHugePages = refusedWhen<Amounts>(
  '`hugepages-…`',
  (amounts) => Object.keys(amounts).some(isHugePage),
  'huge pages are not handed out by this kubelet; remove the hugepages amounts',
);

export const resourceRequirements: MessageVerdicts<ResourceRequirements> = {
  limits: {
    ...actedOn('kubelet/runtime/resources'),
    ...noHugePages,
    ...warnedWhen<Amounts>(
      '`ephemeral-storage`',
      (amounts) => amounts['ephemeral-storage'] !== undefined,
      'ephemeral-storage is counted but not enforced: this kubelet does not evict',
    ),
  },
  requests: { ...actedOn('kubelet/runtime/resources', 'podrules/node-fit'), ...noHugePages },
  claims: refused('dynamic resource allocation is not supported by this kubelet; remove the claims'),
};

export const containerRestartRule: MessageVerdicts<ContainerRestartRule> = {
  action: {
    ...actedOn('kubelet/runtime/restart-policy'),
    ...refusedWhen<string>(
      '`RestartAllContainers`',
      (action) => action !== 'Restart',
      'only Restart is supported by this kubelet',
    ),
  },
  exitCodes: actedOn('kubelet/runtime/restart-policy'),
};

export const containerRestartRuleOnExitCodes: MessageVerdicts<ContainerRestartRuleOnExitCodes> = {
  operator: actedOn('kubelet/runtime/restart-policy'),
  values: actedOn('kubelet/runtime/restart-policy'),
};

const mounted = 'kubelet/volumes/container-mounts';

export const volumeMount: MessageVerdicts<VolumeMount> = {
  name: actedOn(mounted),
  readOnly: actedOn(mounted),
  recursiveReadOnly: actedOn(mounted),
  mountPath: actedOn(mounted),
  subPath: actedOn(mounted),
  mountPropagation: actedOn(mounted),
  subPathExpr: actedOn(mounted),
};

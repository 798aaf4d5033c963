import type {
  Container,
  ContainerPort,
  ContainerResizePolicy,
  ContainerRestartRule,
  ContainerRestartRuleOnExitCodes,
  EphemeralContainer,
  ResourceClaim,
  ResourceRequirements,
  VolumeDevice,
  VolumeMount,
} from '@wherry/kubeapi';
import { actedOn, type MessageVerdicts } from '../../pod/field-verdict.ts';

const configured = 'kubelet/execution/container/container-config';
const probed = 'kubelet/execution/probes/probe-manager';

export const container: MessageVerdicts<Container> = {
  name: actedOn(configured),
  image: actedOn(configured, 'kubelet/execution/images/image-manager'),
  command: actedOn(configured),
  args: actedOn(configured),
  workingDir: actedOn(configured),
  ports: actedOn('kubelet/execution/sandbox/sandbox-config', 'podrules/host-ports'),
  envFrom: actedOn('kubelet/execution/environment/environment'),
  env: actedOn('kubelet/execution/environment/environment'),
  resources: actedOn('kubelet/execution/cgroups/resources', 'podrules/quality-of-service'),
  resizePolicy: actedOn('kubelet/execution/plan/resize-actions'),
  restartPolicy: actedOn('kubelet/pod/restart-policy', 'podrules/pod-state'),
  restartPolicyRules: actedOn('kubelet/pod/restart-policy'),
  volumeMounts: actedOn('kubelet/execution/volumes/container-mounts'),
  volumeDevices: actedOn('kubelet/execution/volumes/container-mounts'),
  livenessProbe: actedOn('kubelet/execution/plan/container-kills'),
  readinessProbe: actedOn(probed),
  startupProbe: actedOn(probed),
  lifecycle: actedOn(
    'kubelet/execution/container/container-starter',
    'kubelet/execution/container/container-killer',
  ),
  terminationMessagePath: actedOn('kubelet/execution/volumes/container-mounts'),
  terminationMessagePolicy: actedOn('kubelet/pod/labels', 'kubelet/observation/termination-message'),
  imagePullPolicy: actedOn('kubelet/execution/container/container-starter'),
  securityContext: actedOn('kubelet/execution/container/security-context'),
  stdin: actedOn(configured),
  stdinOnce: actedOn(configured),
  tty: actedOn(configured),
};

export const ephemeralContainer: MessageVerdicts<EphemeralContainer> = {
  ...container,
  targetContainerName: actedOn('kubelet/pod/containers'),
};

export const containerPort: MessageVerdicts<ContainerPort> = {
  name: actedOn('kubelet/execution/sandbox/sandbox-config', 'kubelet/execution/probes/http-target'),
  hostPort: actedOn('kubelet/execution/sandbox/sandbox-config', 'podrules/host-ports'),
  containerPort: actedOn('kubelet/execution/sandbox/sandbox-config'),
  protocol: actedOn('kubelet/execution/sandbox/sandbox-config'),
  hostIP: actedOn('kubelet/execution/sandbox/sandbox-config'),
};

export const resourceRequirements: MessageVerdicts<ResourceRequirements> = {
  limits: actedOn(
    'kubelet/execution/cgroups/resources',
    'kubelet/execution/eviction/storage-limits',
    'kubelet/execution/resize/pod-resizer',
    'kubelet/execution/cgroups/huge-pages',
  ),
  requests: actedOn(
    'kubelet/execution/cgroups/resources',
    'podrules/pod-resources',
    'kubelet/execution/cgroups/huge-pages',
  ),
  claims: actedOn('kubelet/execution/claims/claim-uses'),
};

export const resourceClaim: MessageVerdicts<ResourceClaim> = {
  name: actedOn('kubelet/execution/claims/claim-uses'),
  request: actedOn('kubelet/execution/claims/claim-views'),
};

export const containerResizePolicy: MessageVerdicts<ContainerResizePolicy> = {
  resourceName: actedOn('kubelet/execution/plan/resize-actions'),
  restartPolicy: actedOn('kubelet/execution/plan/resize-actions'),
};

export const containerRestartRule: MessageVerdicts<ContainerRestartRule> = {
  action: actedOn('kubelet/pod/restart-policy', 'kubelet/reporting/status/whole-restart'),
  exitCodes: actedOn('kubelet/pod/restart-policy'),
};

export const containerRestartRuleOnExitCodes: MessageVerdicts<ContainerRestartRuleOnExitCodes> = {
  operator: actedOn('kubelet/pod/restart-policy'),
  values: actedOn('kubelet/pod/restart-policy'),
};

const mounted = 'kubelet/execution/volumes/container-mounts';

export const volumeDevice: MessageVerdicts<VolumeDevice> = {
  name: actedOn('kubelet/execution/volumes/container-mounts'),
  devicePath: actedOn('kubelet/execution/volumes/container-mounts'),
};

export const volumeMount: MessageVerdicts<VolumeMount> = {
  name: actedOn(mounted),
  readOnly: actedOn(mounted),
  recursiveReadOnly: actedOn(mounted),
  mountPath: actedOn(mounted),
  subPath: actedOn(mounted),
  mountPropagation: actedOn(mounted),
  subPathExpr: actedOn(mounted),
};

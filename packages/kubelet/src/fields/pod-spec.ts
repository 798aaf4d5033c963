import type {
  HostAlias,
  LocalObjectReference,
  PodDNSConfig,
  PodDNSConfigOption,
  PodOS,
  PodReadinessGate,
  PodSchedulingGate,
  PodSpec,
} from '@wherry/kubeapi';
import { actedOn, type MessageVerdicts, noEffect, refused, refusedBy, refusedWhen } from './verdict.ts';

const constraints = 'controllers/scheduler/unsupported-constraints';

export const podSpec: MessageVerdicts<PodSpec> = {
  volumes: actedOn('kubelet/volumes/volume-manager'),
  initContainers: actedOn('kubelet/pod/containers', 'kubelet/runtime/init-container-actions'),
  containers: actedOn('kubelet/pod/containers', 'kubelet/runtime/pod-actions'),
  ephemeralContainers: actedOn('kubelet/pod/containers'),
  restartPolicy: actedOn('kubelet/runtime/restart-policy'),
  terminationGracePeriodSeconds: actedOn('kubelet/workers/pod-worker', 'kubelet/pod-steps'),
  activeDeadlineSeconds: actedOn('kubelet/pod-steps'),
  dnsPolicy: actedOn('kubelet/network/dns'),
  nodeSelector: actedOn('podrules/node-affinity'),
  serviceAccountName: actedOn(
    'apiserver/admission/service-account/service-account',
    'kubelet/volumes/token-manager',
  ),
  serviceAccount: noEffect('the old name of `serviceAccountName`, which the API server fills from it'),
  automountServiceAccountToken: actedOn('apiserver/admission/service-account/service-account'),
  nodeName: actedOn('controllers/scheduler/scheduler', 'kubelet/sources/api-source'),
  hostNetwork: actedOn('kubelet/pod/assigned-pod'),
  hostPID: actedOn('kubelet/runtime/namespaces'),
  hostIPC: actedOn('kubelet/runtime/namespaces'),
  shareProcessNamespace: actedOn('kubelet/runtime/namespaces'),
  securityContext: actedOn('kubelet/runtime/security-context', 'kubelet/runtime/sandbox-config'),
  imagePullSecrets: actedOn('kubelet/pod-environment'),
  hostname: actedOn('kubelet/network/hostname'),
  subdomain: actedOn('kubelet/network/hostname'),
  affinity: actedOn('podrules/node-affinity'),
  schedulerName: actedOn('controllers/scheduler/scheduler'),
  tolerations: actedOn(
    'podrules/node-fit',
    'controllers/node-lifecycle/node-lifecycle',
    'kubelet/admission/admit-pod',
  ),
  hostAliases: actedOn('kubelet/network/etc-hosts'),
  priorityClassName: actedOn('apiserver/admission/pods/priority'),
  priority: actedOn('kubelet/pod/assigned-pod', 'kubelet/runtime/resources'),
  dnsConfig: actedOn('kubelet/network/dns'),
  readinessGates: actedOn('kubelet/status/conditions'),
  runtimeClassName: actedOn('kubelet/runtime/runtime-classes'),
  enableServiceLinks: actedOn('kubelet/pod-environment'),
  preemptionPolicy: noEffect('the scheduler here preempts nothing, as `Never` asks; the field is stored'),
  overhead: actedOn('podrules/pod-resources'),
  topologySpreadConstraints: refusedBy(
    constraints,
    'the scheduler does not look at topology spread: with `DoNotSchedule` the pod stays Pending and says so',
    '`DoNotSchedule`; `ScheduleAnyway` is a wish that may go unmet',
  ),
  setHostnameAsFQDN: actedOn('kubelet/network/hostname'),
  os: actedOn('kubelet/admission/admit-pod'),
  hostUsers: refusedWhen<boolean>(
    '`false`; `true` is how all pods run here',
    (value) => value === false,
    'user namespaces are not supported by this kubelet; leave hostUsers out or set it to true',
  ),
  schedulingGates: actedOn('controllers/scheduler/scheduler'),
  resourceClaims: refused('dynamic resource allocation is not supported by this kubelet; remove the claims'),
  resources: {
    refused: [
      {
        values: '',
        why: 'resources of a whole pod are not supported by this kubelet; set them on the containers',
        reason: 'PodLevelResourcesNotSupported',
        matches: () => true,
      },
    ],
  },
  hostnameOverride: actedOn('kubelet/network/hostname'),
  schedulingGroup: refusedBy(
    constraints,
    'pods are not scheduled in groups: the pod stays Pending and says so',
  ),
};

export const podOs: MessageVerdicts<PodOS> = {
  name: actedOn('kubelet/admission/admit-pod'),
};

export const hostAlias: MessageVerdicts<HostAlias> = {
  ip: actedOn('kubelet/network/etc-hosts'),
  hostnames: actedOn('kubelet/network/etc-hosts'),
};

export const podDnsConfig: MessageVerdicts<PodDNSConfig> = {
  nameservers: actedOn('kubelet/network/dns'),
  searches: actedOn('kubelet/network/dns'),
  options: actedOn('kubelet/network/dns'),
};

export const podDnsConfigOption: MessageVerdicts<PodDNSConfigOption> = {
  name: actedOn('kubelet/network/dns'),
  value: actedOn('kubelet/network/dns'),
};

export const podReadinessGate: MessageVerdicts<PodReadinessGate> = {
  conditionType: actedOn('kubelet/status/conditions'),
};

export const podSchedulingGate: MessageVerdicts<PodSchedulingGate> = {
  name: noEffect('its presence in the list is what counts'),
};

export const localObjectReference: MessageVerdicts<LocalObjectReference> = {
  name: actedOn('kubelet/pod-environment'),
};

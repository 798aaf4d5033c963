import type {
  HostAlias,
  LocalObjectReference,
  PodDNSConfig,
  PodDNSConfigOption,
  PodOS,
  PodReadinessGate,
  PodResourceClaim,
  PodSchedulingGate,
  PodSpec,
} from '@wherry/kubeapi';
import { actedOn, type MessageVerdicts, noEffect, refusedBy } from '../../pod/field-verdict.ts';

export const podSpec: MessageVerdicts<PodSpec> = {
  volumes: actedOn('kubelet/execution/volumes/volume-manager'),
  initContainers: actedOn('kubelet/pod/containers', 'kubelet/execution/plan/init-container-actions'),
  containers: actedOn('kubelet/pod/containers', 'kubelet/execution/plan/compute-pod-actions'),
  ephemeralContainers: actedOn('kubelet/pod/containers'),
  restartPolicy: actedOn('kubelet/pod/restart-policy'),
  terminationGracePeriodSeconds: actedOn(
    'kubelet/execution/workers/pod-worker',
    'kubelet/execution/workers/pod-steps',
  ),
  activeDeadlineSeconds: actedOn('kubelet/execution/workers/pod-steps'),
  dnsPolicy: actedOn('kubelet/execution/sandbox/dns'),
  nodeSelector: actedOn('podrules/nodes/node-affinity'),
  serviceAccountName: actedOn(
    'apiserver/admission/service-account/service-account',
    'kubelet/execution/inputs/token-manager',
  ),
  serviceAccount: noEffect('the old name of `serviceAccountName`, which the API server fills from it'),
  automountServiceAccountToken: actedOn('apiserver/admission/service-account/service-account'),
  nodeName: actedOn('controllers/scheduler/watch-cluster', 'kubelet/intake/sources/api-source'),
  hostNetwork: actedOn('kubelet/pod/assigned-pod'),
  hostPID: actedOn('kubelet/execution/sandbox/namespaces'),
  hostIPC: actedOn('kubelet/execution/sandbox/namespaces'),
  shareProcessNamespace: actedOn('kubelet/execution/sandbox/namespaces'),
  securityContext: actedOn(
    'kubelet/execution/container/security-context',
    'kubelet/execution/sandbox/sandbox-config',
  ),
  imagePullSecrets: actedOn('kubelet/execution/inputs/pod-inputs'),
  hostname: actedOn('kubelet/execution/sandbox/hostname'),
  subdomain: actedOn('kubelet/execution/sandbox/hostname'),
  affinity: actedOn('podrules/nodes/node-affinity', 'controllers/scheduler/cluster/affinity-term'),
  schedulerName: actedOn('controllers/scheduler/profiles/profile'),
  tolerations: actedOn(
    'controllers/scheduler/filters/taint-toleration',
    'controllers/scheduler/scores/taint-toleration',
    'controllers/node-lifecycle/taint-eviction',
    'kubelet/intake/admission/admit-pod',
  ),
  hostAliases: actedOn('kubelet/execution/sandbox/etc-hosts'),
  priorityClassName: actedOn('apiserver/admission/pods/priority', 'kubelet/execution/cgroups/resources'),
  priority: actedOn(
    'controllers/scheduler/scheduling-queue',
    'controllers/scheduler/preemption/select-victims',
    'kubelet/pod/assigned-pod',
    'kubelet/execution/cgroups/resources',
  ),
  dnsConfig: actedOn('kubelet/execution/sandbox/dns'),
  readinessGates: actedOn('kubelet/reporting/status/conditions'),
  runtimeClassName: actedOn('kubelet/execution/sandbox/runtime-classes'),
  enableServiceLinks: actedOn('kubelet/execution/inputs/pod-inputs'),
  preemptionPolicy: actedOn('controllers/scheduler/preemption/find-preemption'),
  overhead: actedOn('podrules/pod-resources'),
  topologySpreadConstraints: actedOn('controllers/scheduler/cluster/spread-constraint'),
  setHostnameAsFQDN: actedOn('kubelet/execution/sandbox/hostname'),
  os: actedOn('kubelet/intake/admission/admit-pod'),
  hostUsers: actedOn('kubelet/execution/sandbox/user-ranges'),
  schedulingGates: actedOn('controllers/scheduler/watch-cluster'),
  resourceClaims: actedOn('kubelet/execution/claims/claim-manager'),
  resources: actedOn(
    'podrules/pod-resources',
    'kubelet/pod/container-amounts',
    'kubeapi/kinds/core/pod/pod-level/defaults',
  ),
  hostnameOverride: actedOn('kubelet/execution/sandbox/hostname'),
  schedulingGroup: refusedBy(
    'controllers/scheduler/filters/scheduling-group',
    'pods are not scheduled in groups: the pod stays Pending and says so',
  ),
};

export const podOs: MessageVerdicts<PodOS> = {
  name: actedOn('kubelet/intake/admission/admit-pod'),
};

export const hostAlias: MessageVerdicts<HostAlias> = {
  ip: actedOn('kubelet/execution/sandbox/etc-hosts'),
  hostnames: actedOn('kubelet/execution/sandbox/etc-hosts'),
};

export const podDnsConfig: MessageVerdicts<PodDNSConfig> = {
  nameservers: actedOn('kubelet/execution/sandbox/dns'),
  searches: actedOn('kubelet/execution/sandbox/dns'),
  options: actedOn('kubelet/execution/sandbox/dns'),
};

export const podDnsConfigOption: MessageVerdicts<PodDNSConfigOption> = {
  name: actedOn('kubelet/execution/sandbox/dns'),
  value: actedOn('kubelet/execution/sandbox/dns'),
};

export const podReadinessGate: MessageVerdicts<PodReadinessGate> = {
  conditionType: actedOn('kubelet/reporting/status/conditions'),
};

export const podResourceClaim: MessageVerdicts<PodResourceClaim> = {
  name: actedOn('kubelet/execution/claims/claim-uses'),
  resourceClaimName: actedOn('kubelet/execution/claims/claim-uses'),
  resourceClaimTemplateName: actedOn('podrules/devices/device-claims'),
};

export const podSchedulingGate: MessageVerdicts<PodSchedulingGate> = {
  name: noEffect('its presence in the list is what counts'),
};

export const localObjectReference: MessageVerdicts<LocalObjectReference> = {
  name: actedOn('kubelet/execution/inputs/pod-inputs'),
};

import type {
  DNSConfig,
  HugepageLimit,
  IDMapping,
  Int64Value,
  LinuxContainerResources,
  LinuxPodSandboxConfig,
  LinuxSandboxSecurityContext,
  NamespaceOption,
  PodSandboxConfig,
  PodSandboxMetadata,
  PortMapping,
  SELinuxOption,
  SecurityProfile,
  UserNamespace,
} from '@wherry/cri';
import {
  actedOn,
  type FieldVerdict,
  type MessageVerdicts,
  noEffect,
  refused,
  refusedBy,
  refusedWhen,
} from './verdict.ts';

const noProcess = noEffect('concerns the process of a sandbox, which has none here');
const files = 'sandbox/sandbox-files';
const users = 'sandbox/pod-users';
const oneRange = refusedBy(users, 'all but one mapping', 'want exactly one mapping');

/** Linux only, as the message itself. */
export const windows = refused('this runtime runs Linux containers');

/** Labels: containerd passes over them as well where SELinux is off. */
export const selinuxOptions: FieldVerdict<SELinuxOption> = refusedWhen(
  'where the kernel has SELinux on; elsewhere labels mean nothing, as with containerd',
  (options, { hasSelinux }) => hasSelinux && Object.values(options).some((text) => text !== ''),
  'SELinux labels are not supported by this runtime, and SELinux is on here',
);

export const podSandboxConfig: MessageVerdicts<PodSandboxConfig> = {
  metadata: actedOn('sandbox/sandbox-store'),
  hostname: {
    ...actedOn(files),
    ...refusedBy(
      files,
      "any but the machine's, on the machine's network",
      "a pod on the machine's network has the machine's name",
    ),
  },
  logDirectory: actedOn('container/container-factory'),
  dnsConfig: actedOn(files),
  portMappings: actedOn('network/host-ports', 'cni/pod-arguments'),
  labels: actedOn('answers/messages', 'answers/filters'),
  annotations: {
    ...actedOn('answers/messages', 'network/bandwidth', 'cni/pod-arguments'),
    ...refusedBy(
      'network/bandwidth',
      '`kubernetes.io/ingress-bandwidth`, `kubernetes.io/egress-bandwidth` that are no quantity from 1k to 1P',
      'want bits per second from 1k to 1P',
    ),
  },
  linux: actedOn('sandbox/sandbox-service'),
  windows,
};

export const podSandboxMetadata: MessageVerdicts<PodSandboxMetadata> = {
  name: actedOn('sandbox/sandbox-store'),
  uid: actedOn('sandbox/sandbox-store'),
  namespace: actedOn('sandbox/sandbox-store'),
  attempt: actedOn('sandbox/sandbox-store'),
};

export const dnsConfig: MessageVerdicts<DNSConfig> = {
  servers: actedOn(files),
  searches: actedOn(files),
  options: actedOn(files),
};

export const portMapping: MessageVerdicts<PortMapping> = {
  protocol: actedOn('network/host-ports', 'cni/pod-arguments'),
  containerPort: actedOn('network/host-ports', 'cni/pod-arguments'),
  hostPort: actedOn('network/host-ports', 'cni/pod-arguments'),
  hostIp: {
    ...actedOn('network/host-ports', 'cni/pod-arguments'),
    ...refusedBy(
      'network/host-ports',
      'addresses of a family that the pod has none of, without CNI',
      'want no address or one of',
    ),
  },
};

export const linuxPodSandboxConfig: MessageVerdicts<LinuxPodSandboxConfig> = {
  cgroupParent: actedOn('container/container-factory', 'stats/stats-service'),
  securityContext: actedOn('sandbox/sandbox-service'),
  sysctls: {
    ...actedOn('sandbox/sysctls'),
    ...refusedBy(
      'sandbox/sysctls',
      "those of the machine, and of namespaces that the pod shares with it; names that aren't plain",
      'belongs to the whole machine and cannot be set for a pod',
    ),
  },
  overhead: noEffect('the caller keeps the control group of the pod, whose limits have it counted in'),
  resources: noEffect('the caller keeps the control group of the pod'),
};

export const linuxSandboxSecurityContext: MessageVerdicts<LinuxSandboxSecurityContext> = {
  namespaceOptions: actedOn(files),
  selinuxOptions,
  runAsUser: noProcess,
  runAsGroup: {
    ...noProcess,
    ...refusedBy('spec/user', 'without `runAsUser`', 'needs run_as_user'),
  },
  readonlyRootfs: noProcess,
  supplementalGroups: noProcess,
  supplementalGroupsPolicy: noProcess,
  privileged: actedOn('service/runtime-handlers'),
  seccomp: noProcess,
  apparmor: noProcess,
  seccompProfilePath: noProcess,
};

export const namespaceOption: MessageVerdicts<NamespaceOption> = {
  network: actedOn(files),
  pid: actedOn(files, 'container/container-spec'),
  ipc: actedOn(files),
  targetId: actedOn('container/container-factory'),
  usernsOptions: {
    ...actedOn(users),
    ...refusedBy(
      users,
      'modes `CONTAINER` and `TARGET`; where the kernel cannot map owners of files; pods that share network, IPC or processes with the machine',
      'with the machine, which needs the machine',
    ),
  },
};

export const userNamespace: MessageVerdicts<UserNamespace> = {
  mode: actedOn(users),
  uids: { ...actedOn(users), ...oneRange },
  gids: { ...actedOn(users), ...oneRange },
};

export const idMapping: MessageVerdicts<IDMapping> = {
  hostId: actedOn(users),
  containerId: { ...actedOn(users), ...refusedBy(users, 'any but 0', 'must begin at id 0') },
  length: actedOn(users),
};

export const int64Value: MessageVerdicts<Int64Value> = { value: actedOn('spec/user') };

export const securityProfile: MessageVerdicts<SecurityProfile> = {
  profileType: actedOn('spec/seccomp', 'apparmor/choose-profile'),
  localhostRef: actedOn('spec/seccomp', 'apparmor/choose-profile'),
};

const resource = actedOn('spec/resources');

export const linuxContainerResources: MessageVerdicts<LinuxContainerResources> = {
  cpuPeriod: resource,
  cpuQuota: resource,
  cpuShares: resource,
  memoryLimitInBytes: resource,
  oomScoreAdj: actedOn('container/container-spec', 'container/container-updater'),
  cpusetCpus: resource,
  cpusetMems: resource,
  hugepageLimits: resource,
  unified: resource,
  memorySwapLimitInBytes: resource,
};

export const hugepageLimit: MessageVerdicts<HugepageLimit> = { pageSize: resource, limit: resource };

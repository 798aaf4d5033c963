// Generated from the facts of k8s.io/cri-api v0.37.2. Do not edit; make it again: node packages/cri/scripts/generate.ts v0.37.2

export const Protocol = {
  TCP: 0,
  UDP: 1,
  SCTP: 2,
} as const;
export type Protocol = (typeof Protocol)[keyof typeof Protocol];

export const MountPropagation = {
  PROPAGATION_PRIVATE: 0,
  PROPAGATION_HOST_TO_CONTAINER: 1,
  PROPAGATION_BIDIRECTIONAL: 2,
} as const;
export type MountPropagation = (typeof MountPropagation)[keyof typeof MountPropagation];

export const NamespaceMode = {
  POD: 0,
  CONTAINER: 1,
  NODE: 2,
  TARGET: 3,
} as const;
export type NamespaceMode = (typeof NamespaceMode)[keyof typeof NamespaceMode];

export const SupplementalGroupsPolicy = {
  Merge: 0,
  Strict: 1,
} as const;
export type SupplementalGroupsPolicy = (typeof SupplementalGroupsPolicy)[keyof typeof SupplementalGroupsPolicy];

export const ProfileType = {
  RuntimeDefault: 0,
  Unconfined: 1,
  Localhost: 2,
} as const;
export type ProfileType = (typeof ProfileType)[keyof typeof ProfileType];

export const PodSandboxState = {
  SANDBOX_READY: 0,
  SANDBOX_NOTREADY: 1,
} as const;
export type PodSandboxState = (typeof PodSandboxState)[keyof typeof PodSandboxState];

export const Signal = {
  SIGNAL_RUNTIME_DEFAULT: 0,
  SIGNAL_SIGABRT: 1,
  SIGNAL_SIGALRM: 2,
  SIGNAL_SIGBUS: 3,
  SIGNAL_SIGCHLD: 4,
  SIGNAL_SIGCLD: 5,
  SIGNAL_SIGCONT: 6,
  SIGNAL_SIGFPE: 7,
  SIGNAL_SIGHUP: 8,
  SIGNAL_SIGILL: 9,
  SIGNAL_SIGINT: 10,
  SIGNAL_SIGIO: 11,
  SIGNAL_SIGIOT: 12,
  SIGNAL_SIGKILL: 13,
  SIGNAL_SIGPIPE: 14,
  SIGNAL_SIGPOLL: 15,
  SIGNAL_SIGPROF: 16,
  SIGNAL_SIGPWR: 17,
  SIGNAL_SIGQUIT: 18,
  SIGNAL_SIGSEGV: 19,
  SIGNAL_SIGSTKFLT: 20,
  SIGNAL_SIGSTOP: 21,
  SIGNAL_SIGSYS: 22,
  SIGNAL_SIGTERM: 23,
  SIGNAL_SIGTRAP: 24,
  SIGNAL_SIGTSTP: 25,
  SIGNAL_SIGTTIN: 26,
  SIGNAL_SIGTTOU: 27,
  SIGNAL_SIGURG: 28,
  SIGNAL_SIGUSR1: 29,
  SIGNAL_SIGUSR2: 30,
  SIGNAL_SIGVTALRM: 31,
  SIGNAL_SIGWINCH: 32,
  SIGNAL_SIGXCPU: 33,
  SIGNAL_SIGXFSZ: 34,
  SIGNAL_SIGRTMIN: 35,
  SIGNAL_SIGRTMINPLUS1: 36,
  SIGNAL_SIGRTMINPLUS2: 37,
  SIGNAL_SIGRTMINPLUS3: 38,
  SIGNAL_SIGRTMINPLUS4: 39,
  SIGNAL_SIGRTMINPLUS5: 40,
  SIGNAL_SIGRTMINPLUS6: 41,
  SIGNAL_SIGRTMINPLUS7: 42,
  SIGNAL_SIGRTMINPLUS8: 43,
  SIGNAL_SIGRTMINPLUS9: 44,
  SIGNAL_SIGRTMINPLUS10: 45,
  SIGNAL_SIGRTMINPLUS11: 46,
  SIGNAL_SIGRTMINPLUS12: 47,
  SIGNAL_SIGRTMINPLUS13: 48,
  SIGNAL_SIGRTMINPLUS14: 49,
  SIGNAL_SIGRTMINPLUS15: 50,
  SIGNAL_SIGRTMAXMINUS14: 51,
  SIGNAL_SIGRTMAXMINUS13: 52,
  SIGNAL_SIGRTMAXMINUS12: 53,
  SIGNAL_SIGRTMAXMINUS11: 54,
  SIGNAL_SIGRTMAXMINUS10: 55,
  SIGNAL_SIGRTMAXMINUS9: 56,
  SIGNAL_SIGRTMAXMINUS8: 57,
  SIGNAL_SIGRTMAXMINUS7: 58,
  SIGNAL_SIGRTMAXMINUS6: 59,
  SIGNAL_SIGRTMAXMINUS5: 60,
  SIGNAL_SIGRTMAXMINUS4: 61,
  SIGNAL_SIGRTMAXMINUS3: 62,
  SIGNAL_SIGRTMAXMINUS2: 63,
  SIGNAL_SIGRTMAXMINUS1: 64,
  SIGNAL_SIGRTMAX: 65,
} as const;
export type Signal = (typeof Signal)[keyof typeof Signal];

export const ContainerState = {
  CONTAINER_CREATED: 0,
  CONTAINER_RUNNING: 1,
  CONTAINER_EXITED: 2,
  CONTAINER_UNKNOWN: 3,
} as const;
export type ContainerState = (typeof ContainerState)[keyof typeof ContainerState];

export const ContainerEventType = {
  CONTAINER_CREATED_EVENT: 0,
  CONTAINER_STARTED_EVENT: 1,
  CONTAINER_STOPPED_EVENT: 2,
  CONTAINER_DELETED_EVENT: 3,
} as const;
export type ContainerEventType = (typeof ContainerEventType)[keyof typeof ContainerEventType];

export const MetricType = {
  COUNTER: 0,
  GAUGE: 1,
} as const;
export type MetricType = (typeof MetricType)[keyof typeof MetricType];

export const CgroupDriver = {
  SYSTEMD: 0,
  CGROUPFS: 1,
} as const;
export type CgroupDriver = (typeof CgroupDriver)[keyof typeof CgroupDriver];

export interface VersionRequest {
  version: string;
}

export interface VersionResponse {
  version: string;
  runtimeName: string;
  runtimeVersion: string;
  runtimeApiVersion: string;
}

export interface DNSConfig {
  servers: string[];
  searches: string[];
  options: string[];
}

export interface PortMapping {
  protocol: Protocol;
  containerPort: number;
  hostPort: number;
  hostIp: string;
}

export interface Mount {
  containerPath: string;
  hostPath: string;
  readonly: boolean;
  selinuxRelabel: boolean;
  propagation: MountPropagation;
  uidMappings: IDMapping[];
  gidMappings: IDMapping[];
  recursiveReadOnly: boolean;
  image?: ImageSpec | undefined;
  imageSubPath: string;
  mountOptions: string[];
}

export interface IDMapping {
  hostId: number;
  containerId: number;
  length: number;
}

export interface UserNamespace {
  mode: NamespaceMode;
  uids: IDMapping[];
  gids: IDMapping[];
}

export interface NamespaceOption {
  network: NamespaceMode;
  pid: NamespaceMode;
  ipc: NamespaceMode;
  targetId: string;
  usernsOptions?: UserNamespace | undefined;
}

export interface Int64Value {
  value: number;
}

export interface LinuxSandboxSecurityContext {
  namespaceOptions?: NamespaceOption | undefined;
  selinuxOptions?: SELinuxOption | undefined;
  runAsUser?: Int64Value | undefined;
  runAsGroup?: Int64Value | undefined;
  readonlyRootfs: boolean;
  supplementalGroups: number[];
  supplementalGroupsPolicy: SupplementalGroupsPolicy;
  privileged: boolean;
  seccomp?: SecurityProfile | undefined;
  apparmor?: SecurityProfile | undefined;
  seccompProfilePath: string;
}

export interface SecurityProfile {
  profileType: ProfileType;
  localhostRef: string;
}

export interface LinuxPodSandboxConfig {
  cgroupParent: string;
  securityContext?: LinuxSandboxSecurityContext | undefined;
  sysctls: Record<string, string>;
  overhead?: LinuxContainerResources | undefined;
  resources?: LinuxContainerResources | undefined;
}

export interface PodSandboxMetadata {
  name: string;
  uid: string;
  namespace: string;
  attempt: number;
}

export interface PodSandboxConfig {
  metadata?: PodSandboxMetadata | undefined;
  hostname: string;
  logDirectory: string;
  dnsConfig?: DNSConfig | undefined;
  portMappings: PortMapping[];
  labels: Record<string, string>;
  annotations: Record<string, string>;
  linux?: LinuxPodSandboxConfig | undefined;
  windows?: WindowsPodSandboxConfig | undefined;
}

export interface RunPodSandboxRequest {
  config?: PodSandboxConfig | undefined;
  runtimeHandler: string;
}

export interface RunPodSandboxResponse {
  podSandboxId: string;
}

export interface StopPodSandboxRequest {
  podSandboxId: string;
}

export type StopPodSandboxResponse = Record<never, never>;

export interface RemovePodSandboxRequest {
  podSandboxId: string;
}

export type RemovePodSandboxResponse = Record<never, never>;

export interface PodSandboxStatusRequest {
  podSandboxId: string;
  verbose: boolean;
}

export interface PodIP {
  ip: string;
}

export interface PodSandboxNetworkStatus {
  ip: string;
  additionalIps: PodIP[];
}

export interface Namespace {
  options?: NamespaceOption | undefined;
}

export interface LinuxPodSandboxStatus {
  namespaces?: Namespace | undefined;
}

export interface PodSandboxStatus {
  id: string;
  metadata?: PodSandboxMetadata | undefined;
  state: PodSandboxState;
  createdAt: bigint;
  network?: PodSandboxNetworkStatus | undefined;
  linux?: LinuxPodSandboxStatus | undefined;
  labels: Record<string, string>;
  annotations: Record<string, string>;
  runtimeHandler: string;
}

export interface PodSandboxStatusResponse {
  status?: PodSandboxStatus | undefined;
  info: Record<string, string>;
  containersStatuses: ContainerStatus[];
  timestamp: bigint;
}

export interface PodSandboxStateValue {
  state: PodSandboxState;
}

export interface PodSandboxFilter {
  id: string;
  state?: PodSandboxStateValue | undefined;
  labelSelector: Record<string, string>;
}

export interface ListPodSandboxRequest {
  filter?: PodSandboxFilter | undefined;
}

export interface PodSandbox {
  id: string;
  metadata?: PodSandboxMetadata | undefined;
  state: PodSandboxState;
  createdAt: bigint;
  labels: Record<string, string>;
  annotations: Record<string, string>;
  runtimeHandler: string;
}

export interface ListPodSandboxResponse {
  items: PodSandbox[];
}

export interface StreamPodSandboxesRequest {
  filter?: PodSandboxFilter | undefined;
}

export interface StreamPodSandboxesResponse {
  podSandboxes: PodSandbox[];
}

export interface PodSandboxStatsRequest {
  podSandboxId: string;
}

export interface PodSandboxStatsResponse {
  stats?: PodSandboxStats | undefined;
}

export interface PodSandboxStatsFilter {
  id: string;
  labelSelector: Record<string, string>;
}

export interface ListPodSandboxStatsRequest {
  filter?: PodSandboxStatsFilter | undefined;
}

export interface ListPodSandboxStatsResponse {
  stats: PodSandboxStats[];
}

export interface StreamPodSandboxStatsRequest {
  filter?: PodSandboxStatsFilter | undefined;
}

export interface StreamPodSandboxStatsResponse {
  podSandboxStats: PodSandboxStats[];
}

export interface PodSandboxAttributes {
  id: string;
  metadata?: PodSandboxMetadata | undefined;
  labels: Record<string, string>;
  annotations: Record<string, string>;
}

export interface PodSandboxStats {
  attributes?: PodSandboxAttributes | undefined;
  linux?: LinuxPodSandboxStats | undefined;
  windows?: WindowsPodSandboxStats | undefined;
}

export interface LinuxPodSandboxStats {
  cpu?: CpuUsage | undefined;
  memory?: MemoryUsage | undefined;
  network?: NetworkUsage | undefined;
  process?: ProcessUsage | undefined;
  containers: ContainerStats[];
  io?: IoUsage | undefined;
}

export interface WindowsPodSandboxStats {
  cpu?: WindowsCpuUsage | undefined;
  memory?: WindowsMemoryUsage | undefined;
  network?: WindowsNetworkUsage | undefined;
  process?: WindowsProcessUsage | undefined;
  containers: WindowsContainerStats[];
}

export interface NetworkUsage {
  timestamp: bigint;
  defaultInterface?: NetworkInterfaceUsage | undefined;
  interfaces: NetworkInterfaceUsage[];
}

export interface WindowsNetworkUsage {
  timestamp: bigint;
  defaultInterface?: WindowsNetworkInterfaceUsage | undefined;
  interfaces: WindowsNetworkInterfaceUsage[];
}

export interface NetworkInterfaceUsage {
  name: string;
  rxBytes?: UInt64Value | undefined;
  rxErrors?: UInt64Value | undefined;
  txBytes?: UInt64Value | undefined;
  txErrors?: UInt64Value | undefined;
}

export interface WindowsNetworkInterfaceUsage {
  name: string;
  rxBytes?: UInt64Value | undefined;
  rxPacketsDropped?: UInt64Value | undefined;
  txBytes?: UInt64Value | undefined;
  txPacketsDropped?: UInt64Value | undefined;
}

export interface ProcessUsage {
  timestamp: bigint;
  processCount?: UInt64Value | undefined;
}

export interface WindowsProcessUsage {
  timestamp: bigint;
  processCount?: UInt64Value | undefined;
}

export interface ImageSpec {
  image: string;
  annotations: Record<string, string>;
  userSpecifiedImage: string;
  runtimeHandler: string;
  imageRef: string;
}

export interface KeyValue {
  key: string;
  value: Uint8Array;
}

export interface LinuxContainerResources {
  cpuPeriod: number;
  cpuQuota: number;
  cpuShares: number;
  memoryLimitInBytes: number;
  oomScoreAdj: number;
  cpusetCpus: string;
  cpusetMems: string;
  hugepageLimits: HugepageLimit[];
  unified: Record<string, string>;
  memorySwapLimitInBytes: number;
}

export interface HugepageLimit {
  pageSize: string;
  limit: number;
}

export interface SELinuxOption {
  user: string;
  role: string;
  type: string;
  level: string;
}

export interface Capability {
  addCapabilities: string[];
  dropCapabilities: string[];
  addAmbientCapabilities: string[];
}

export interface LinuxContainerSecurityContext {
  capabilities?: Capability | undefined;
  privileged: boolean;
  namespaceOptions?: NamespaceOption | undefined;
  selinuxOptions?: SELinuxOption | undefined;
  runAsUser?: Int64Value | undefined;
  runAsGroup?: Int64Value | undefined;
  runAsUsername: string;
  readonlyRootfs: boolean;
  supplementalGroups: number[];
  supplementalGroupsPolicy: SupplementalGroupsPolicy;
  noNewPrivs: boolean;
  maskedPaths: string[];
  readonlyPaths: string[];
  seccomp?: SecurityProfile | undefined;
  apparmor?: SecurityProfile | undefined;
  apparmorProfile: string;
  seccompProfilePath: string;
}

export interface LinuxContainerConfig {
  resources?: LinuxContainerResources | undefined;
  securityContext?: LinuxContainerSecurityContext | undefined;
}

export interface LinuxContainerUser {
  uid: number;
  gid: number;
  supplementalGroups: number[];
}

export interface WindowsNamespaceOption {
  network: NamespaceMode;
}

export interface WindowsSandboxSecurityContext {
  runAsUsername: string;
  credentialSpec: string;
  hostProcess: boolean;
  namespaceOptions?: WindowsNamespaceOption | undefined;
}

export interface WindowsPodSandboxConfig {
  securityContext?: WindowsSandboxSecurityContext | undefined;
}

export interface WindowsContainerSecurityContext {
  runAsUsername: string;
  credentialSpec: string;
  hostProcess: boolean;
}

export interface WindowsContainerConfig {
  resources?: WindowsContainerResources | undefined;
  securityContext?: WindowsContainerSecurityContext | undefined;
}

export interface WindowsContainerResources {
  cpuShares: number;
  cpuCount: number;
  cpuMaximum: number;
  memoryLimitInBytes: number;
  rootfsSizeInBytes: number;
  affinityCpus: WindowsCpuGroupAffinity[];
}

export interface WindowsCpuGroupAffinity {
  cpuMask: number;
  cpuGroup: number;
}

export interface ContainerMetadata {
  name: string;
  attempt: number;
}

export interface Device {
  containerPath: string;
  hostPath: string;
  permissions: string;
}

export interface CDIDevice {
  name: string;
}

export interface ContainerConfig {
  metadata?: ContainerMetadata | undefined;
  image?: ImageSpec | undefined;
  command: string[];
  args: string[];
  workingDir: string;
  envs: KeyValue[];
  mounts: Mount[];
  devices: Device[];
  labels: Record<string, string>;
  annotations: Record<string, string>;
  logPath: string;
  stdin: boolean;
  stdinOnce: boolean;
  tty: boolean;
  linux?: LinuxContainerConfig | undefined;
  windows?: WindowsContainerConfig | undefined;
  cdiDevices: CDIDevice[];
  stopSignal: Signal;
}

export interface CreateContainerRequest {
  podSandboxId: string;
  config?: ContainerConfig | undefined;
  sandboxConfig?: PodSandboxConfig | undefined;
}

export interface CreateContainerResponse {
  containerId: string;
}

export interface StartContainerRequest {
  containerId: string;
}

export type StartContainerResponse = Record<never, never>;

export interface StopContainerRequest {
  containerId: string;
  timeout: number;
}

export type StopContainerResponse = Record<never, never>;

export interface RemoveContainerRequest {
  containerId: string;
}

export type RemoveContainerResponse = Record<never, never>;

export interface ContainerStateValue {
  state: ContainerState;
}

export interface ContainerFilter {
  id: string;
  state?: ContainerStateValue | undefined;
  podSandboxId: string;
  labelSelector: Record<string, string>;
}

export interface ListContainersRequest {
  filter?: ContainerFilter | undefined;
}

export interface Container {
  id: string;
  podSandboxId: string;
  metadata?: ContainerMetadata | undefined;
  image?: ImageSpec | undefined;
  imageRef: string;
  state: ContainerState;
  createdAt: bigint;
  labels: Record<string, string>;
  annotations: Record<string, string>;
  imageId: string;
}

export interface ListContainersResponse {
  containers: Container[];
}

export interface StreamContainersRequest {
  filter?: ContainerFilter | undefined;
}

export interface StreamContainersResponse {
  containers: Container[];
}

export interface ContainerStatusRequest {
  containerId: string;
  verbose: boolean;
}

export interface ContainerStatus {
  id: string;
  metadata?: ContainerMetadata | undefined;
  state: ContainerState;
  createdAt: bigint;
  startedAt: bigint;
  finishedAt: bigint;
  exitCode: number;
  image?: ImageSpec | undefined;
  imageRef: string;
  reason: string;
  message: string;
  labels: Record<string, string>;
  annotations: Record<string, string>;
  mounts: Mount[];
  logPath: string;
  resources?: ContainerResources | undefined;
  imageId: string;
  user?: ContainerUser | undefined;
  stopSignal: Signal;
}

export interface ContainerStatusResponse {
  status?: ContainerStatus | undefined;
  info: Record<string, string>;
}

export interface ContainerResources {
  linux?: LinuxContainerResources | undefined;
  windows?: WindowsContainerResources | undefined;
}

export interface ContainerUser {
  linux?: LinuxContainerUser | undefined;
}

export interface UpdateContainerResourcesRequest {
  containerId: string;
  linux?: LinuxContainerResources | undefined;
  windows?: WindowsContainerResources | undefined;
  annotations: Record<string, string>;
}

export type UpdateContainerResourcesResponse = Record<never, never>;

export interface ExecSyncRequest {
  containerId: string;
  cmd: string[];
  timeout: number;
}

export interface ExecSyncResponse {
  stdout: Uint8Array;
  stderr: Uint8Array;
  exitCode: number;
}

export interface ExecRequest {
  containerId: string;
  cmd: string[];
  tty: boolean;
  stdin: boolean;
  stdout: boolean;
  stderr: boolean;
}

export interface ExecResponse {
  url: string;
}

export interface AttachRequest {
  containerId: string;
  stdin: boolean;
  tty: boolean;
  stdout: boolean;
  stderr: boolean;
}

export interface AttachResponse {
  url: string;
}

export interface PortForwardRequest {
  podSandboxId: string;
  port: number[];
}

export interface PortForwardResponse {
  url: string;
}

export interface ImageFilter {
  image?: ImageSpec | undefined;
}

export interface ListImagesRequest {
  filter?: ImageFilter | undefined;
}

export interface Image {
  id: string;
  repoTags: string[];
  repoDigests: string[];
  size: number;
  uid?: Int64Value | undefined;
  username: string;
  spec?: ImageSpec | undefined;
  pinned: boolean;
}

export interface ListImagesResponse {
  images: Image[];
}

export interface StreamImagesRequest {
  filter?: ImageFilter | undefined;
}

export interface StreamImagesResponse {
  images: Image[];
}

export interface ImageStatusRequest {
  image?: ImageSpec | undefined;
  verbose: boolean;
}

export interface ImageStatusResponse {
  image?: Image | undefined;
  info: Record<string, string>;
}

export interface AuthConfig {
  username: string;
  password: string;
  auth: string;
  serverAddress: string;
  identityToken: string;
  registryToken: string;
}

export interface PullImageRequest {
  image?: ImageSpec | undefined;
  auth?: AuthConfig | undefined;
  sandboxConfig?: PodSandboxConfig | undefined;
}

export interface PullImageResponse {
  imageRef: string;
}

export interface RemoveImageRequest {
  image?: ImageSpec | undefined;
}

export type RemoveImageResponse = Record<never, never>;

export interface NetworkConfig {
  podCidr: string;
}

export interface RuntimeConfig {
  networkConfig?: NetworkConfig | undefined;
}

export interface UpdateRuntimeConfigRequest {
  runtimeConfig?: RuntimeConfig | undefined;
}

export type UpdateRuntimeConfigResponse = Record<never, never>;

export interface RuntimeCondition {
  type: string;
  status: boolean;
  reason: string;
  message: string;
}

export interface RuntimeStatus {
  conditions: RuntimeCondition[];
}

export interface StatusRequest {
  verbose: boolean;
}

export interface RuntimeHandlerFeatures {
  recursiveReadOnlyMounts: boolean;
  userNamespaces: boolean;
}

export interface RuntimeHandler {
  name: string;
  features?: RuntimeHandlerFeatures | undefined;
}

export interface RuntimeFeatures {
  supplementalGroupsPolicy: boolean;
  userNamespacesHostNetwork: boolean;
  mountOptions: boolean;
}

export interface StatusResponse {
  status?: RuntimeStatus | undefined;
  info: Record<string, string>;
  runtimeHandlers: RuntimeHandler[];
  features?: RuntimeFeatures | undefined;
}

export type ImageFsInfoRequest = Record<never, never>;

export interface UInt64Value {
  value: number;
}

export interface FilesystemIdentifier {
  mountpoint: string;
}

export interface FilesystemUsage {
  timestamp: bigint;
  fsId?: FilesystemIdentifier | undefined;
  usedBytes?: UInt64Value | undefined;
  inodesUsed?: UInt64Value | undefined;
}

export interface WindowsFilesystemUsage {
  timestamp: bigint;
  fsId?: FilesystemIdentifier | undefined;
  usedBytes?: UInt64Value | undefined;
}

export interface ImageFsInfoResponse {
  imageFilesystems: FilesystemUsage[];
  containerFilesystems: FilesystemUsage[];
}

export interface ContainerStatsRequest {
  containerId: string;
}

export interface ContainerStatsResponse {
  stats?: ContainerStats | undefined;
}

export interface ListContainerStatsRequest {
  filter?: ContainerStatsFilter | undefined;
}

export interface ContainerStatsFilter {
  id: string;
  podSandboxId: string;
  labelSelector: Record<string, string>;
}

export interface ListContainerStatsResponse {
  stats: ContainerStats[];
}

export interface StreamContainerStatsRequest {
  filter?: ContainerStatsFilter | undefined;
}

export interface StreamContainerStatsResponse {
  containerStats: ContainerStats[];
}

export interface ContainerAttributes {
  id: string;
  metadata?: ContainerMetadata | undefined;
  labels: Record<string, string>;
  annotations: Record<string, string>;
}

export interface ContainerStats {
  attributes?: ContainerAttributes | undefined;
  cpu?: CpuUsage | undefined;
  memory?: MemoryUsage | undefined;
  writableLayer?: FilesystemUsage | undefined;
  swap?: SwapUsage | undefined;
  io?: IoUsage | undefined;
}

export interface WindowsContainerStats {
  attributes?: ContainerAttributes | undefined;
  cpu?: WindowsCpuUsage | undefined;
  memory?: WindowsMemoryUsage | undefined;
  writableLayer?: WindowsFilesystemUsage | undefined;
}

export interface PsiStats {
  full?: PsiData | undefined;
  some?: PsiData | undefined;
}

export interface PsiData {
  total: number;
  avg10: number;
  avg60: number;
  avg300: number;
}

export interface CpuUsage {
  timestamp: bigint;
  usageCoreNanoSeconds?: UInt64Value | undefined;
  usageNanoCores?: UInt64Value | undefined;
  psi?: PsiStats | undefined;
}

export interface WindowsCpuUsage {
  timestamp: bigint;
  usageCoreNanoSeconds?: UInt64Value | undefined;
  usageNanoCores?: UInt64Value | undefined;
}

export interface MemoryUsage {
  timestamp: bigint;
  workingSetBytes?: UInt64Value | undefined;
  availableBytes?: UInt64Value | undefined;
  usageBytes?: UInt64Value | undefined;
  rssBytes?: UInt64Value | undefined;
  pageFaults?: UInt64Value | undefined;
  majorPageFaults?: UInt64Value | undefined;
  psi?: PsiStats | undefined;
}

export interface IoUsage {
  timestamp: bigint;
  psi?: PsiStats | undefined;
}

export interface SwapUsage {
  timestamp: bigint;
  swapAvailableBytes?: UInt64Value | undefined;
  swapUsageBytes?: UInt64Value | undefined;
}

export interface WindowsMemoryUsage {
  timestamp: bigint;
  workingSetBytes?: UInt64Value | undefined;
  availableBytes?: UInt64Value | undefined;
  pageFaults?: UInt64Value | undefined;
  commitMemoryBytes?: UInt64Value | undefined;
}

export interface ReopenContainerLogRequest {
  containerId: string;
}

export type ReopenContainerLogResponse = Record<never, never>;

export interface CheckpointContainerRequest {
  containerId: string;
  location: string;
  timeout: number;
}

export type CheckpointContainerResponse = Record<never, never>;

export interface CheckpointPodRequest {
  podSandboxId: string;
  outputPath: string;
  containerIds: string[];
  options: Record<string, string>;
}

export type CheckpointPodResponse = Record<never, never>;

export interface RestorePodRequest {
  checkpointPath: string;
  config?: PodSandboxConfig | undefined;
  runtimeHandler: string;
  options: Record<string, string>;
  containerConfigs: ContainerConfig[];
}

export interface RestoredContainer {
  name: string;
  containerId: string;
}

export interface RestorePodResponse {
  podSandboxId: string;
  restoredContainers: RestoredContainer[];
}

export type GetEventsRequest = Record<never, never>;

export interface ContainerEventResponse {
  containerId: string;
  containerEventType: ContainerEventType;
  createdAt: bigint;
  podSandboxStatus?: PodSandboxStatus | undefined;
  containersStatuses: ContainerStatus[];
}

export type ListMetricDescriptorsRequest = Record<never, never>;

export interface ListMetricDescriptorsResponse {
  descriptors: MetricDescriptor[];
}

export interface MetricDescriptor {
  name: string;
  help: string;
  labelKeys: string[];
}

export type ListPodSandboxMetricsRequest = Record<never, never>;

export interface ListPodSandboxMetricsResponse {
  podMetrics: PodSandboxMetrics[];
}

export type StreamPodSandboxMetricsRequest = Record<never, never>;

export interface StreamPodSandboxMetricsResponse {
  podSandboxMetrics: PodSandboxMetrics[];
}

export interface PodSandboxMetrics {
  podSandboxId: string;
  metrics: Metric[];
  containerMetrics: ContainerMetrics[];
}

export interface ContainerMetrics {
  containerId: string;
  metrics: Metric[];
}

export interface Metric {
  name: string;
  timestamp: bigint;
  metricType: MetricType;
  labelValues: string[];
  value?: UInt64Value | undefined;
}

export type RuntimeConfigRequest = Record<never, never>;

export interface RuntimeConfigResponse {
  linux?: LinuxRuntimeConfiguration | undefined;
}

export interface LinuxRuntimeConfiguration {
  cgroupDriver: CgroupDriver;
}

export interface UpdatePodSandboxResourcesRequest {
  podSandboxId: string;
  overhead?: LinuxContainerResources | undefined;
  resources?: LinuxContainerResources | undefined;
}

export type UpdatePodSandboxResourcesResponse = Record<never, never>;

export interface RuntimeServiceMethods {
  version: { request: VersionRequest; response: VersionResponse; stream: false };
  runPodSandbox: { request: RunPodSandboxRequest; response: RunPodSandboxResponse; stream: false };
  stopPodSandbox: { request: StopPodSandboxRequest; response: StopPodSandboxResponse; stream: false };
  removePodSandbox: { request: RemovePodSandboxRequest; response: RemovePodSandboxResponse; stream: false };
  podSandboxStatus: { request: PodSandboxStatusRequest; response: PodSandboxStatusResponse; stream: false };
  listPodSandbox: { request: ListPodSandboxRequest; response: ListPodSandboxResponse; stream: false };
  streamPodSandboxes: { request: StreamPodSandboxesRequest; response: StreamPodSandboxesResponse; stream: true };
  createContainer: { request: CreateContainerRequest; response: CreateContainerResponse; stream: false };
  startContainer: { request: StartContainerRequest; response: StartContainerResponse; stream: false };
  stopContainer: { request: StopContainerRequest; response: StopContainerResponse; stream: false };
  removeContainer: { request: RemoveContainerRequest; response: RemoveContainerResponse; stream: false };
  listContainers: { request: ListContainersRequest; response: ListContainersResponse; stream: false };
  streamContainers: { request: StreamContainersRequest; response: StreamContainersResponse; stream: true };
  containerStatus: { request: ContainerStatusRequest; response: ContainerStatusResponse; stream: false };
  updateContainerResources: { request: UpdateContainerResourcesRequest; response: UpdateContainerResourcesResponse; stream: false };
  reopenContainerLog: { request: ReopenContainerLogRequest; response: ReopenContainerLogResponse; stream: false };
  execSync: { request: ExecSyncRequest; response: ExecSyncResponse; stream: false };
  exec: { request: ExecRequest; response: ExecResponse; stream: false };
  attach: { request: AttachRequest; response: AttachResponse; stream: false };
  portForward: { request: PortForwardRequest; response: PortForwardResponse; stream: false };
  containerStats: { request: ContainerStatsRequest; response: ContainerStatsResponse; stream: false };
  listContainerStats: { request: ListContainerStatsRequest; response: ListContainerStatsResponse; stream: false };
  streamContainerStats: { request: StreamContainerStatsRequest; response: StreamContainerStatsResponse; stream: true };
  podSandboxStats: { request: PodSandboxStatsRequest; response: PodSandboxStatsResponse; stream: false };
  listPodSandboxStats: { request: ListPodSandboxStatsRequest; response: ListPodSandboxStatsResponse; stream: false };
  streamPodSandboxStats: { request: StreamPodSandboxStatsRequest; response: StreamPodSandboxStatsResponse; stream: true };
  updateRuntimeConfig: { request: UpdateRuntimeConfigRequest; response: UpdateRuntimeConfigResponse; stream: false };
  status: { request: StatusRequest; response: StatusResponse; stream: false };
  checkpointContainer: { request: CheckpointContainerRequest; response: CheckpointContainerResponse; stream: false };
  checkpointPod: { request: CheckpointPodRequest; response: CheckpointPodResponse; stream: false };
  restorePod: { request: RestorePodRequest; response: RestorePodResponse; stream: false };
  getContainerEvents: { request: GetEventsRequest; response: ContainerEventResponse; stream: true };
  listMetricDescriptors: { request: ListMetricDescriptorsRequest; response: ListMetricDescriptorsResponse; stream: false };
  listPodSandboxMetrics: { request: ListPodSandboxMetricsRequest; response: ListPodSandboxMetricsResponse; stream: false };
  streamPodSandboxMetrics: { request: StreamPodSandboxMetricsRequest; response: StreamPodSandboxMetricsResponse; stream: true };
  runtimeConfig: { request: RuntimeConfigRequest; response: RuntimeConfigResponse; stream: false };
  updatePodSandboxResources: { request: UpdatePodSandboxResourcesRequest; response: UpdatePodSandboxResourcesResponse; stream: false };
}

export interface ImageServiceMethods {
  listImages: { request: ListImagesRequest; response: ListImagesResponse; stream: false };
  streamImages: { request: StreamImagesRequest; response: StreamImagesResponse; stream: true };
  imageStatus: { request: ImageStatusRequest; response: ImageStatusResponse; stream: false };
  pullImage: { request: PullImageRequest; response: PullImageResponse; stream: false };
  removeImage: { request: RemoveImageRequest; response: RemoveImageResponse; stream: false };
  imageFsInfo: { request: ImageFsInfoRequest; response: ImageFsInfoResponse; stream: false };
}

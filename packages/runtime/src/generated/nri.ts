// Generated from the facts of github.com/containerd/nri v0.12.3. Do not edit; make it again: node packages/runtime/scripts/generate.ts v0.12.3

import type { MessageSchema, MethodSchema } from '@wherry/cri/grpc';

export const messages: Record<string, MessageSchema> = {
  RegisterPluginRequest: [[1, 'pluginName', 'string', 'single'], [2, 'pluginIdx', 'string', 'single'], [3, 'nriVersion', 'string', 'single']],
  UpdateContainersRequest: [[1, 'update', 'ContainerUpdate', 'repeated'], [2, 'evict', 'ContainerEviction', 'repeated']],
  UpdateContainersResponse: [[1, 'failed', 'ContainerUpdate', 'repeated']],
  ConfigureRequest: [[1, 'config', 'string', 'single'], [2, 'runtimeName', 'string', 'single'], [3, 'runtimeVersion', 'string', 'single'], [4, 'registrationTimeout', 'int64', 'single'], [5, 'requestTimeout', 'int64', 'single'], [6, 'nriVersion', 'string', 'single']],
  ConfigureResponse: [[2, 'events', 'int32', 'single']],
  SynchronizeRequest: [[1, 'pods', 'PodSandbox', 'repeated'], [2, 'containers', 'Container', 'repeated'], [3, 'more', 'bool', 'single']],
  SynchronizeResponse: [[1, 'update', 'ContainerUpdate', 'repeated'], [2, 'more', 'bool', 'single']],
  RunPodSandboxRequest: [[1, 'pod', 'PodSandbox', 'single']],
  RunPodSandboxResponse: [],
  UpdatePodSandboxRequest: [[1, 'pod', 'PodSandbox', 'single'], [2, 'overheadLinuxResources', 'LinuxResources', 'single'], [3, 'linuxResources', 'LinuxResources', 'single']],
  UpdatePodSandboxResponse: [],
  PostUpdatePodSandboxRequest: [[1, 'pod', 'PodSandbox', 'single']],
  PostUpdatePodSandboxResponse: [],
  StopPodSandboxRequest: [[1, 'pod', 'PodSandbox', 'single']],
  StopPodSandboxResponse: [],
  RemovePodSandboxRequest: [[1, 'pod', 'PodSandbox', 'single']],
  RemovePodSandboxResponse: [],
  CreateContainerRequest: [[1, 'pod', 'PodSandbox', 'single'], [2, 'container', 'Container', 'single']],
  CreateContainerResponse: [[1, 'adjust', 'ContainerAdjustment', 'single'], [2, 'update', 'ContainerUpdate', 'repeated'], [3, 'evict', 'ContainerEviction', 'repeated']],
  PostCreateContainerRequest: [[1, 'pod', 'PodSandbox', 'single'], [2, 'container', 'Container', 'single']],
  PostCreateContainerResponse: [],
  StartContainerRequest: [[1, 'pod', 'PodSandbox', 'single'], [2, 'container', 'Container', 'single']],
  StartContainerResponse: [],
  PostStartContainerRequest: [[1, 'pod', 'PodSandbox', 'single'], [2, 'container', 'Container', 'single']],
  PostStartContainerResponse: [],
  UpdateContainerRequest: [[1, 'pod', 'PodSandbox', 'single'], [2, 'container', 'Container', 'single'], [3, 'linuxResources', 'LinuxResources', 'single']],
  UpdateContainerResponse: [[1, 'update', 'ContainerUpdate', 'repeated'], [2, 'evict', 'ContainerEviction', 'repeated']],
  PostUpdateContainerRequest: [[1, 'pod', 'PodSandbox', 'single'], [2, 'container', 'Container', 'single']],
  PostUpdateContainerResponse: [],
  StopContainerRequest: [[1, 'pod', 'PodSandbox', 'single'], [2, 'container', 'Container', 'single']],
  StopContainerResponse: [[1, 'update', 'ContainerUpdate', 'repeated']],
  RemoveContainerRequest: [[1, 'pod', 'PodSandbox', 'single'], [2, 'container', 'Container', 'single']],
  RemoveContainerResponse: [],
  StateChangeEvent: [[1, 'event', 'enum', 'single'], [2, 'pod', 'PodSandbox', 'single'], [3, 'container', 'Container', 'single']],
  ValidateContainerAdjustmentRequest: [[1, 'pod', 'PodSandbox', 'single'], [2, 'container', 'Container', 'single'], [3, 'adjust', 'ContainerAdjustment', 'single'], [4, 'update', 'ContainerUpdate', 'repeated'], [5, 'owners', 'OwningPlugins', 'single'], [6, 'plugins', 'PluginInstance', 'repeated']],
  PluginInstance: [[1, 'name', 'string', 'single'], [2, 'index', 'string', 'single']],
  ValidateContainerAdjustmentResponse: [[1, 'reject', 'bool', 'single'], [2, 'reason', 'string', 'single']],
  Empty: [],
  PodSandbox: [[1, 'id', 'string', 'single'], [2, 'name', 'string', 'single'], [3, 'uid', 'string', 'single'], [4, 'namespace', 'string', 'single'], [5, 'labels', 'string', 'map:string'], [6, 'annotations', 'string', 'map:string'], [7, 'runtimeHandler', 'string', 'single'], [8, 'linux', 'LinuxPodSandbox', 'single'], [9, 'pid', 'uint32', 'single'], [10, 'ips', 'string', 'repeated']],
  LinuxPodSandbox: [[1, 'podOverhead', 'LinuxResources', 'single'], [2, 'podResources', 'LinuxResources', 'single'], [3, 'cgroupParent', 'string', 'single'], [4, 'cgroupsPath', 'string', 'single'], [5, 'namespaces', 'LinuxNamespace', 'repeated'], [6, 'resources', 'LinuxResources', 'single']],
  Container: [[1, 'id', 'string', 'single'], [2, 'podSandboxId', 'string', 'single'], [3, 'name', 'string', 'single'], [4, 'state', 'enum', 'single'], [5, 'labels', 'string', 'map:string'], [6, 'annotations', 'string', 'map:string'], [7, 'args', 'string', 'repeated'], [8, 'env', 'string', 'repeated'], [9, 'mounts', 'Mount', 'repeated'], [10, 'hooks', 'Hooks', 'single'], [11, 'linux', 'LinuxContainer', 'single'], [12, 'pid', 'uint32', 'single'], [13, 'rlimits', 'POSIXRlimit', 'repeated'], [14, 'createdAt', 'int64:bigint', 'single'], [15, 'startedAt', 'int64:bigint', 'single'], [16, 'finishedAt', 'int64:bigint', 'single'], [17, 'exitCode', 'int32', 'single'], [18, 'statusReason', 'string', 'single'], [19, 'statusMessage', 'string', 'single'], [20, 'cdiDevices', 'CDIDevice', 'repeated'], [21, 'user', 'User', 'single'], [22, 'image', 'Image', 'single']],
  Image: [[1, 'name', 'string', 'single'], [2, 'digest', 'string', 'single'], [3, 'configDigest', 'string', 'single']],
  Mount: [[1, 'destination', 'string', 'single'], [2, 'type', 'string', 'single'], [3, 'source', 'string', 'single'], [4, 'options', 'string', 'repeated']],
  Hooks: [[1, 'prestart', 'Hook', 'repeated'], [2, 'createRuntime', 'Hook', 'repeated'], [3, 'createContainer', 'Hook', 'repeated'], [4, 'startContainer', 'Hook', 'repeated'], [5, 'poststart', 'Hook', 'repeated'], [6, 'poststop', 'Hook', 'repeated']],
  Hook: [[1, 'path', 'string', 'single'], [2, 'args', 'string', 'repeated'], [3, 'env', 'string', 'repeated'], [4, 'timeout', 'OptionalInt', 'single']],
  LinuxContainer: [[1, 'namespaces', 'LinuxNamespace', 'repeated'], [2, 'devices', 'LinuxDevice', 'repeated'], [3, 'resources', 'LinuxResources', 'single'], [4, 'oomScoreAdj', 'OptionalInt', 'single'], [5, 'cgroupsPath', 'string', 'single'], [6, 'ioPriority', 'LinuxIOPriority', 'single'], [7, 'seccompProfile', 'SecurityProfile', 'single'], [8, 'seccompPolicy', 'LinuxSeccomp', 'single'], [9, 'sysctl', 'string', 'map:string'], [10, 'netDevices', 'LinuxNetDevice', 'map:string'], [11, 'scheduler', 'LinuxScheduler', 'single'], [12, 'rdt', 'LinuxRdt', 'single']],
  LinuxNamespace: [[1, 'type', 'string', 'single'], [2, 'path', 'string', 'single']],
  LinuxDevice: [[1, 'path', 'string', 'single'], [2, 'type', 'string', 'single'], [3, 'major', 'int64', 'single'], [4, 'minor', 'int64', 'single'], [5, 'fileMode', 'OptionalFileMode', 'single'], [6, 'uid', 'OptionalUInt32', 'single'], [7, 'gid', 'OptionalUInt32', 'single']],
  LinuxDeviceCgroup: [[1, 'allow', 'bool', 'single'], [2, 'type', 'string', 'single'], [3, 'major', 'OptionalInt64', 'single'], [4, 'minor', 'OptionalInt64', 'single'], [5, 'access', 'string', 'single']],
  CDIDevice: [[1, 'name', 'string', 'single']],
  User: [[1, 'uid', 'uint32', 'single'], [2, 'gid', 'uint32', 'single'], [3, 'additionalGids', 'uint32', 'repeated']],
  LinuxResources: [[1, 'memory', 'LinuxMemory', 'single'], [2, 'cpu', 'LinuxCPU', 'single'], [3, 'hugepageLimits', 'HugepageLimit', 'repeated'], [4, 'blockioClass', 'OptionalString', 'single'], [5, 'rdtClass', 'OptionalString', 'single'], [6, 'unified', 'string', 'map:string'], [7, 'devices', 'LinuxDeviceCgroup', 'repeated'], [8, 'pids', 'LinuxPids', 'single']],
  LinuxMemory: [[1, 'limit', 'OptionalInt64', 'single'], [2, 'reservation', 'OptionalInt64', 'single'], [3, 'swap', 'OptionalInt64', 'single'], [4, 'kernel', 'OptionalInt64', 'single'], [5, 'kernelTcp', 'OptionalInt64', 'single'], [6, 'swappiness', 'OptionalUInt64', 'single'], [7, 'disableOomKiller', 'OptionalBool', 'single'], [8, 'useHierarchy', 'OptionalBool', 'single']],
  LinuxCPU: [[1, 'shares', 'OptionalUInt64', 'single'], [2, 'quota', 'OptionalInt64', 'single'], [3, 'period', 'OptionalUInt64', 'single'], [4, 'realtimeRuntime', 'OptionalInt64', 'single'], [5, 'realtimePeriod', 'OptionalUInt64', 'single'], [6, 'cpus', 'string', 'single'], [7, 'mems', 'string', 'single']],
  HugepageLimit: [[1, 'pageSize', 'string', 'single'], [2, 'limit', 'uint64', 'single']],
  SecurityProfile: [[1, 'profileType', 'enum', 'single'], [2, 'localhostRef', 'string', 'single']],
  POSIXRlimit: [[1, 'type', 'string', 'single'], [2, 'hard', 'uint64', 'single'], [3, 'soft', 'uint64', 'single']],
  LinuxPids: [[1, 'limit', 'int64', 'single']],
  LinuxIOPriority: [[1, 'class', 'enum', 'single'], [2, 'priority', 'int32', 'single']],
  LinuxNetDevice: [[1, 'name', 'string', 'single']],
  LinuxScheduler: [[1, 'policy', 'enum', 'single'], [2, 'nice', 'int32', 'single'], [3, 'priority', 'int32', 'single'], [4, 'flags', 'enum', 'repeated'], [5, 'runtime', 'uint64', 'single'], [6, 'deadline', 'uint64', 'single'], [7, 'period', 'uint64', 'single']],
  ContainerAdjustment: [[2, 'annotations', 'string', 'map:string'], [3, 'mounts', 'Mount', 'repeated'], [4, 'env', 'KeyValue', 'repeated'], [5, 'hooks', 'Hooks', 'single'], [6, 'linux', 'LinuxContainerAdjustment', 'single'], [7, 'rlimits', 'POSIXRlimit', 'repeated'], [8, 'cdiDevices', 'CDIDevice', 'repeated'], [9, 'args', 'string', 'repeated']],
  LinuxContainerAdjustment: [[1, 'devices', 'LinuxDevice', 'repeated'], [2, 'resources', 'LinuxResources', 'single'], [3, 'cgroupsPath', 'string', 'single'], [4, 'oomScoreAdj', 'OptionalInt', 'single'], [5, 'ioPriority', 'LinuxIOPriority', 'single'], [6, 'seccompPolicy', 'LinuxSeccomp', 'single'], [7, 'namespaces', 'LinuxNamespace', 'repeated'], [8, 'sysctl', 'string', 'map:string'], [9, 'netDevices', 'LinuxNetDevice', 'map:string'], [10, 'scheduler', 'LinuxScheduler', 'single'], [11, 'rdt', 'LinuxRdt', 'single'], [12, 'memoryPolicy', 'LinuxMemoryPolicy', 'single']],
  LinuxSeccomp: [[1, 'defaultAction', 'string', 'single'], [2, 'defaultErrno', 'OptionalUInt32', 'single'], [3, 'architectures', 'string', 'repeated'], [4, 'flags', 'string', 'repeated'], [5, 'listenerPath', 'string', 'single'], [6, 'listenerMetadata', 'string', 'single'], [7, 'syscalls', 'LinuxSyscall', 'repeated']],
  LinuxSyscall: [[1, 'names', 'string', 'repeated'], [2, 'action', 'string', 'single'], [3, 'errnoRet', 'OptionalUInt32', 'single'], [4, 'args', 'LinuxSeccompArg', 'repeated']],
  LinuxSeccompArg: [[1, 'index', 'uint32', 'single'], [2, 'value', 'uint64', 'single'], [3, 'valueTwo', 'uint64', 'single'], [4, 'op', 'string', 'single']],
  LinuxMemoryPolicy: [[1, 'mode', 'enum', 'single'], [2, 'nodes', 'string', 'single'], [3, 'flags', 'enum', 'repeated']],
  ContainerUpdate: [[1, 'containerId', 'string', 'single'], [2, 'linux', 'LinuxContainerUpdate', 'single'], [3, 'ignoreFailure', 'bool', 'single']],
  LinuxContainerUpdate: [[1, 'resources', 'LinuxResources', 'single']],
  ContainerEviction: [[1, 'containerId', 'string', 'single'], [2, 'reason', 'string', 'single']],
  LinuxRdt: [[1, 'closId', 'OptionalString', 'single'], [2, 'schemata', 'OptionalRepeatedString', 'single'], [3, 'enableMonitoring', 'OptionalBool', 'single'], [4, 'remove', 'bool', 'single']],
  KeyValue: [[1, 'key', 'string', 'single'], [2, 'value', 'string', 'single']],
  OptionalString: [[1, 'value', 'string', 'single']],
  OptionalRepeatedString: [[1, 'value', 'string', 'repeated']],
  OptionalInt: [[1, 'value', 'int64', 'single']],
  OptionalInt32: [[1, 'value', 'int32', 'single']],
  OptionalUInt32: [[1, 'value', 'uint32', 'single']],
  OptionalInt64: [[1, 'value', 'int64', 'single']],
  OptionalUInt64: [[1, 'value', 'uint64', 'single']],
  OptionalBool: [[1, 'value', 'bool', 'single']],
  OptionalFileMode: [[1, 'value', 'uint32', 'single']],
  CompoundFieldOwners: [[1, 'owners', 'string', 'map:string']],
  FieldOwners: [[1, 'simple', 'string', 'map:int32'], [2, 'compound', 'CompoundFieldOwners', 'map:int32']],
  OwningPlugins: [[1, 'owners', 'FieldOwners', 'map:string']],
};

export const services: Record<string, Record<string, MethodSchema>> = {
  Runtime: {
    registerPlugin: ['RegisterPlugin', 'RegisterPluginRequest', 'Empty', false],
    updateContainers: ['UpdateContainers', 'UpdateContainersRequest', 'UpdateContainersResponse', false],
  },
  Plugin: {
    configure: ['Configure', 'ConfigureRequest', 'ConfigureResponse', false],
    synchronize: ['Synchronize', 'SynchronizeRequest', 'SynchronizeResponse', false],
    shutdown: ['Shutdown', 'Empty', 'Empty', false],
    runPodSandbox: ['RunPodSandbox', 'RunPodSandboxRequest', 'RunPodSandboxResponse', false],
    updatePodSandbox: ['UpdatePodSandbox', 'UpdatePodSandboxRequest', 'UpdatePodSandboxResponse', false],
    postUpdatePodSandbox: ['PostUpdatePodSandbox', 'PostUpdatePodSandboxRequest', 'PostUpdatePodSandboxResponse', false],
    stopPodSandbox: ['StopPodSandbox', 'StopPodSandboxRequest', 'StopPodSandboxResponse', false],
    removePodSandbox: ['RemovePodSandbox', 'RemovePodSandboxRequest', 'RemovePodSandboxResponse', false],
    createContainer: ['CreateContainer', 'CreateContainerRequest', 'CreateContainerResponse', false],
    postCreateContainer: ['PostCreateContainer', 'PostCreateContainerRequest', 'PostCreateContainerResponse', false],
    startContainer: ['StartContainer', 'StartContainerRequest', 'StartContainerResponse', false],
    postStartContainer: ['PostStartContainer', 'PostStartContainerRequest', 'PostStartContainerResponse', false],
    updateContainer: ['UpdateContainer', 'UpdateContainerRequest', 'UpdateContainerResponse', false],
    postUpdateContainer: ['PostUpdateContainer', 'PostUpdateContainerRequest', 'PostUpdateContainerResponse', false],
    stopContainer: ['StopContainer', 'StopContainerRequest', 'StopContainerResponse', false],
    removeContainer: ['RemoveContainer', 'RemoveContainerRequest', 'RemoveContainerResponse', false],
    stateChange: ['StateChange', 'StateChangeEvent', 'Empty', false],
    validateContainerAdjustment: ['ValidateContainerAdjustment', 'ValidateContainerAdjustmentRequest', 'ValidateContainerAdjustmentResponse', false],
  },
};

export const Event = {
  UNKNOWN: 0,
  RUN_POD_SANDBOX: 1,
  STOP_POD_SANDBOX: 2,
  REMOVE_POD_SANDBOX: 3,
  CREATE_CONTAINER: 4,
  POST_CREATE_CONTAINER: 5,
  START_CONTAINER: 6,
  POST_START_CONTAINER: 7,
  UPDATE_CONTAINER: 8,
  POST_UPDATE_CONTAINER: 9,
  STOP_CONTAINER: 10,
  REMOVE_CONTAINER: 11,
  UPDATE_POD_SANDBOX: 12,
  POST_UPDATE_POD_SANDBOX: 13,
  VALIDATE_CONTAINER_ADJUSTMENT: 14,
  LAST: 15,
} as const;
export type Event = (typeof Event)[keyof typeof Event];

export const ContainerState = {
  CONTAINER_UNKNOWN: 0,
  CONTAINER_CREATED: 1,
  CONTAINER_PAUSED: 2,
  CONTAINER_RUNNING: 3,
  CONTAINER_STOPPED: 4,
} as const;
export type ContainerState = (typeof ContainerState)[keyof typeof ContainerState];

export const ProfileType = {
  RUNTIME_DEFAULT: 0,
  UNCONFINED: 1,
  LOCALHOST: 2,
} as const;
export type ProfileType = (typeof ProfileType)[keyof typeof ProfileType];

export const IOPrioClass = {
  IOPRIO_CLASS_NONE: 0,
  IOPRIO_CLASS_RT: 1,
  IOPRIO_CLASS_BE: 2,
  IOPRIO_CLASS_IDLE: 3,
} as const;
export type IOPrioClass = (typeof IOPrioClass)[keyof typeof IOPrioClass];

export const LinuxSchedulerPolicy = {
  SCHED_NONE: 0,
  SCHED_OTHER: 1,
  SCHED_FIFO: 2,
  SCHED_RR: 3,
  SCHED_BATCH: 4,
  SCHED_ISO: 5,
  SCHED_IDLE: 6,
  SCHED_DEADLINE: 7,
} as const;
export type LinuxSchedulerPolicy = (typeof LinuxSchedulerPolicy)[keyof typeof LinuxSchedulerPolicy];

export const LinuxSchedulerFlag = {
  SCHED_FLAG_RESET_ON_FORK: 0,
  SCHED_FLAG_RECLAIM: 1,
  SCHED_FLAG_DL_OVERRUN: 2,
  SCHED_FLAG_KEEP_POLICY: 3,
  SCHED_FLAG_KEEP_PARAMS: 4,
  SCHED_FLAG_UTIL_CLAMP_MIN: 5,
  SCHED_FLAG_UTIL_CLAMP_MAX: 6,
} as const;
export type LinuxSchedulerFlag = (typeof LinuxSchedulerFlag)[keyof typeof LinuxSchedulerFlag];

export const MpolMode = {
  MPOL_DEFAULT: 0,
  MPOL_PREFERRED: 1,
  MPOL_BIND: 2,
  MPOL_INTERLEAVE: 3,
  MPOL_LOCAL: 4,
  MPOL_PREFERRED_MANY: 5,
  MPOL_WEIGHTED_INTERLEAVE: 6,
} as const;
export type MpolMode = (typeof MpolMode)[keyof typeof MpolMode];

export const MpolFlag = {
  MPOL_F_STATIC_NODES: 0,
  MPOL_F_RELATIVE_NODES: 1,
  MPOL_F_NUMA_BALANCING: 2,
} as const;
export type MpolFlag = (typeof MpolFlag)[keyof typeof MpolFlag];

export const Field = {
  None: 0,
  Annotations: 1,
  Mounts: 2,
  OciHooks: 3,
  Devices: 4,
  CdiDevices: 5,
  Env: 6,
  Args: 7,
  MemLimit: 8,
  MemReservation: 9,
  MemSwapLimit: 10,
  MemKernelLimit: 11,
  MemTCPLimit: 12,
  MemSwappiness: 13,
  MemDisableOomKiller: 14,
  MemUseHierarchy: 15,
  CPUShares: 16,
  CPUQuota: 17,
  CPUPeriod: 18,
  CPURealtimeRuntime: 19,
  CPURealtimePeriod: 20,
  CPUSetCPUs: 21,
  CPUSetMems: 22,
  PidsLimit: 23,
  HugepageLimits: 24,
  BlockioClass: 25,
  RdtClass: 26,
  CgroupsUnified: 27,
  CgroupsPath: 28,
  OomScoreAdj: 29,
  Rlimits: 30,
  IoPriority: 31,
  SeccompPolicy: 32,
  Namespace: 33,
  Sysctl: 34,
  LinuxNetDevices: 35,
  LinuxSched: 36,
  RdtClosID: 37,
  RdtSchemata: 38,
  RdtEnableMonitoring: 39,
  MemoryPolicy: 40,
} as const;
export type Field = (typeof Field)[keyof typeof Field];

export interface RegisterPluginRequest {
  pluginName: string;
  pluginIdx: string;
  nriVersion: string;
}

export interface UpdateContainersRequest {
  update: ContainerUpdate[];
  evict: ContainerEviction[];
}

export interface UpdateContainersResponse {
  failed: ContainerUpdate[];
}

export interface ConfigureRequest {
  config: string;
  runtimeName: string;
  runtimeVersion: string;
  registrationTimeout: number;
  requestTimeout: number;
  nriVersion: string;
}

export interface ConfigureResponse {
  events: number;
}

export interface SynchronizeRequest {
  pods: PodSandbox[];
  containers: Container[];
  more: boolean;
}

export interface SynchronizeResponse {
  update: ContainerUpdate[];
  more: boolean;
}

export interface RunPodSandboxRequest {
  pod?: PodSandbox | undefined;
}

export type RunPodSandboxResponse = Record<never, never>;

export interface UpdatePodSandboxRequest {
  pod?: PodSandbox | undefined;
  overheadLinuxResources?: LinuxResources | undefined;
  linuxResources?: LinuxResources | undefined;
}

export type UpdatePodSandboxResponse = Record<never, never>;

export interface PostUpdatePodSandboxRequest {
  pod?: PodSandbox | undefined;
}

export type PostUpdatePodSandboxResponse = Record<never, never>;

export interface StopPodSandboxRequest {
  pod?: PodSandbox | undefined;
}

export type StopPodSandboxResponse = Record<never, never>;

export interface RemovePodSandboxRequest {
  pod?: PodSandbox | undefined;
}

export type RemovePodSandboxResponse = Record<never, never>;

export interface CreateContainerRequest {
  pod?: PodSandbox | undefined;
  container?: Container | undefined;
}

export interface CreateContainerResponse {
  adjust?: ContainerAdjustment | undefined;
  update: ContainerUpdate[];
  evict: ContainerEviction[];
}

export interface PostCreateContainerRequest {
  pod?: PodSandbox | undefined;
  container?: Container | undefined;
}

export type PostCreateContainerResponse = Record<never, never>;

export interface StartContainerRequest {
  pod?: PodSandbox | undefined;
  container?: Container | undefined;
}

export type StartContainerResponse = Record<never, never>;

export interface PostStartContainerRequest {
  pod?: PodSandbox | undefined;
  container?: Container | undefined;
}

export type PostStartContainerResponse = Record<never, never>;

export interface UpdateContainerRequest {
  pod?: PodSandbox | undefined;
  container?: Container | undefined;
  linuxResources?: LinuxResources | undefined;
}

export interface UpdateContainerResponse {
  update: ContainerUpdate[];
  evict: ContainerEviction[];
}

export interface PostUpdateContainerRequest {
  pod?: PodSandbox | undefined;
  container?: Container | undefined;
}

export type PostUpdateContainerResponse = Record<never, never>;

export interface StopContainerRequest {
  pod?: PodSandbox | undefined;
  container?: Container | undefined;
}

export interface StopContainerResponse {
  update: ContainerUpdate[];
}

export interface RemoveContainerRequest {
  pod?: PodSandbox | undefined;
  container?: Container | undefined;
}

export type RemoveContainerResponse = Record<never, never>;

export interface StateChangeEvent {
  event: Event;
  pod?: PodSandbox | undefined;
  container?: Container | undefined;
}

export interface ValidateContainerAdjustmentRequest {
  pod?: PodSandbox | undefined;
  container?: Container | undefined;
  adjust?: ContainerAdjustment | undefined;
  update: ContainerUpdate[];
  owners?: OwningPlugins | undefined;
  plugins: PluginInstance[];
}

export interface PluginInstance {
  name: string;
  index: string;
}

export interface ValidateContainerAdjustmentResponse {
  reject: boolean;
  reason: string;
}

export type Empty = Record<never, never>;

export interface PodSandbox {
  id: string;
  name: string;
  uid: string;
  namespace: string;
  labels: Record<string, string>;
  annotations: Record<string, string>;
  runtimeHandler: string;
  linux?: LinuxPodSandbox | undefined;
  pid: number;
  ips: string[];
}

export interface LinuxPodSandbox {
  podOverhead?: LinuxResources | undefined;
  podResources?: LinuxResources | undefined;
  cgroupParent: string;
  cgroupsPath: string;
  namespaces: LinuxNamespace[];
  resources?: LinuxResources | undefined;
}

export interface Container {
  id: string;
  podSandboxId: string;
  name: string;
  state: ContainerState;
  labels: Record<string, string>;
  annotations: Record<string, string>;
  args: string[];
  env: string[];
  mounts: Mount[];
  hooks?: Hooks | undefined;
  linux?: LinuxContainer | undefined;
  pid: number;
  rlimits: POSIXRlimit[];
  createdAt: bigint;
  startedAt: bigint;
  finishedAt: bigint;
  exitCode: number;
  statusReason: string;
  statusMessage: string;
  cdiDevices: CDIDevice[];
  user?: User | undefined;
  image?: Image | undefined;
}

export interface Image {
  name: string;
  digest: string;
  configDigest: string;
}

export interface Mount {
  destination: string;
  type: string;
  source: string;
  options: string[];
}

export interface Hooks {
  prestart: Hook[];
  createRuntime: Hook[];
  createContainer: Hook[];
  startContainer: Hook[];
  poststart: Hook[];
  poststop: Hook[];
}

export interface Hook {
  path: string;
  args: string[];
  env: string[];
  timeout?: OptionalInt | undefined;
}

export interface LinuxContainer {
  namespaces: LinuxNamespace[];
  devices: LinuxDevice[];
  resources?: LinuxResources | undefined;
  oomScoreAdj?: OptionalInt | undefined;
  cgroupsPath: string;
  ioPriority?: LinuxIOPriority | undefined;
  seccompProfile?: SecurityProfile | undefined;
  seccompPolicy?: LinuxSeccomp | undefined;
  sysctl: Record<string, string>;
  netDevices: Record<string, LinuxNetDevice>;
  scheduler?: LinuxScheduler | undefined;
  rdt?: LinuxRdt | undefined;
}

export interface LinuxNamespace {
  type: string;
  path: string;
}

export interface LinuxDevice {
  path: string;
  type: string;
  major: number;
  minor: number;
  fileMode?: OptionalFileMode | undefined;
  uid?: OptionalUInt32 | undefined;
  gid?: OptionalUInt32 | undefined;
}

export interface LinuxDeviceCgroup {
  allow: boolean;
  type: string;
  major?: OptionalInt64 | undefined;
  minor?: OptionalInt64 | undefined;
  access: string;
}

export interface CDIDevice {
  name: string;
}

export interface User {
  uid: number;
  gid: number;
  additionalGids: number[];
}

export interface LinuxResources {
  memory?: LinuxMemory | undefined;
  cpu?: LinuxCPU | undefined;
  hugepageLimits: HugepageLimit[];
  blockioClass?: OptionalString | undefined;
  rdtClass?: OptionalString | undefined;
  unified: Record<string, string>;
  devices: LinuxDeviceCgroup[];
  pids?: LinuxPids | undefined;
}

export interface LinuxMemory {
  limit?: OptionalInt64 | undefined;
  reservation?: OptionalInt64 | undefined;
  swap?: OptionalInt64 | undefined;
  kernel?: OptionalInt64 | undefined;
  kernelTcp?: OptionalInt64 | undefined;
  swappiness?: OptionalUInt64 | undefined;
  disableOomKiller?: OptionalBool | undefined;
  useHierarchy?: OptionalBool | undefined;
}

export interface LinuxCPU {
  shares?: OptionalUInt64 | undefined;
  quota?: OptionalInt64 | undefined;
  period?: OptionalUInt64 | undefined;
  realtimeRuntime?: OptionalInt64 | undefined;
  realtimePeriod?: OptionalUInt64 | undefined;
  cpus: string;
  mems: string;
}

export interface HugepageLimit {
  pageSize: string;
  limit: number;
}

export interface SecurityProfile {
  profileType: ProfileType;
  localhostRef: string;
}

export interface POSIXRlimit {
  type: string;
  hard: number;
  soft: number;
}

export interface LinuxPids {
  limit: number;
}

export interface LinuxIOPriority {
  class: IOPrioClass;
  priority: number;
}

export interface LinuxNetDevice {
  name: string;
}

export interface LinuxScheduler {
  policy: LinuxSchedulerPolicy;
  nice: number;
  priority: number;
  flags: LinuxSchedulerFlag[];
  runtime: number;
  deadline: number;
  period: number;
}

export interface ContainerAdjustment {
  annotations: Record<string, string>;
  mounts: Mount[];
  env: KeyValue[];
  hooks?: Hooks | undefined;
  linux?: LinuxContainerAdjustment | undefined;
  rlimits: POSIXRlimit[];
  cdiDevices: CDIDevice[];
  args: string[];
}

export interface LinuxContainerAdjustment {
  devices: LinuxDevice[];
  resources?: LinuxResources | undefined;
  cgroupsPath: string;
  oomScoreAdj?: OptionalInt | undefined;
  ioPriority?: LinuxIOPriority | undefined;
  seccompPolicy?: LinuxSeccomp | undefined;
  namespaces: LinuxNamespace[];
  sysctl: Record<string, string>;
  netDevices: Record<string, LinuxNetDevice>;
  scheduler?: LinuxScheduler | undefined;
  rdt?: LinuxRdt | undefined;
  memoryPolicy?: LinuxMemoryPolicy | undefined;
}

export interface LinuxSeccomp {
  defaultAction: string;
  defaultErrno?: OptionalUInt32 | undefined;
  architectures: string[];
  flags: string[];
  listenerPath: string;
  listenerMetadata: string;
  syscalls: LinuxSyscall[];
}

export interface LinuxSyscall {
  names: string[];
  action: string;
  errnoRet?: OptionalUInt32 | undefined;
  args: LinuxSeccompArg[];
}

export interface LinuxSeccompArg {
  index: number;
  value: number;
  valueTwo: number;
  op: string;
}

export interface LinuxMemoryPolicy {
  mode: MpolMode;
  nodes: string;
  flags: MpolFlag[];
}

export interface ContainerUpdate {
  containerId: string;
  linux?: LinuxContainerUpdate | undefined;
  ignoreFailure: boolean;
}

export interface LinuxContainerUpdate {
  resources?: LinuxResources | undefined;
}

export interface ContainerEviction {
  containerId: string;
  reason: string;
}

export interface LinuxRdt {
  closId?: OptionalString | undefined;
  schemata?: OptionalRepeatedString | undefined;
  enableMonitoring?: OptionalBool | undefined;
  remove: boolean;
}

export interface KeyValue {
  key: string;
  value: string;
}

export interface OptionalString {
  value: string;
}

export interface OptionalRepeatedString {
  value: string[];
}

export interface OptionalInt {
  value: number;
}

export interface OptionalInt32 {
  value: number;
}

export interface OptionalUInt32 {
  value: number;
}

export interface OptionalInt64 {
  value: number;
}

export interface OptionalUInt64 {
  value: number;
}

export interface OptionalBool {
  value: boolean;
}

export interface OptionalFileMode {
  value: number;
}

export interface CompoundFieldOwners {
  owners: Record<string, string>;
}

export interface FieldOwners {
  simple: Record<string, string>;
  compound: Record<string, CompoundFieldOwners>;
}

export interface OwningPlugins {
  owners: Record<string, FieldOwners>;
}

export interface RuntimeMethods {
  registerPlugin: { request: RegisterPluginRequest; response: Empty; stream: false };
  updateContainers: { request: UpdateContainersRequest; response: UpdateContainersResponse; stream: false };
}

export interface PluginMethods {
  configure: { request: ConfigureRequest; response: ConfigureResponse; stream: false };
  synchronize: { request: SynchronizeRequest; response: SynchronizeResponse; stream: false };
  shutdown: { request: Empty; response: Empty; stream: false };
  runPodSandbox: { request: RunPodSandboxRequest; response: RunPodSandboxResponse; stream: false };
  updatePodSandbox: { request: UpdatePodSandboxRequest; response: UpdatePodSandboxResponse; stream: false };
  postUpdatePodSandbox: { request: PostUpdatePodSandboxRequest; response: PostUpdatePodSandboxResponse; stream: false };
  stopPodSandbox: { request: StopPodSandboxRequest; response: StopPodSandboxResponse; stream: false };
  removePodSandbox: { request: RemovePodSandboxRequest; response: RemovePodSandboxResponse; stream: false };
  createContainer: { request: CreateContainerRequest; response: CreateContainerResponse; stream: false };
  postCreateContainer: { request: PostCreateContainerRequest; response: PostCreateContainerResponse; stream: false };
  startContainer: { request: StartContainerRequest; response: StartContainerResponse; stream: false };
  postStartContainer: { request: PostStartContainerRequest; response: PostStartContainerResponse; stream: false };
  updateContainer: { request: UpdateContainerRequest; response: UpdateContainerResponse; stream: false };
  postUpdateContainer: { request: PostUpdateContainerRequest; response: PostUpdateContainerResponse; stream: false };
  stopContainer: { request: StopContainerRequest; response: StopContainerResponse; stream: false };
  removeContainer: { request: RemoveContainerRequest; response: RemoveContainerResponse; stream: false };
  stateChange: { request: StateChangeEvent; response: Empty; stream: false };
  validateContainerAdjustment: { request: ValidateContainerAdjustmentRequest; response: ValidateContainerAdjustmentResponse; stream: false };
}

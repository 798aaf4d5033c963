import type { CriClient, Image } from '@wherry/cri';
import {
  type ContainerImage,
  type Node,
  type NodeCondition,
  type NodeStatus,
  ownValue,
} from '@wherry/kubeapi';
import type { KubeletConfiguration } from '../configuration/configuration.ts';
import { amountOf } from '../pod/amount.ts';
import { apiTime } from '../status/container-statuses.ts';
import type { MachineInfo } from './machine-info.ts';

/** The version of Kubernetes whose kubelet this one stands in for. */
export const kubeletVersion = 'v1.36.2';

/** Node features that the scheduler and the API server may count on. */
export const declaredFeatures = ['ExtendWebSocketsToKubelet'];

/** What a node's status is computed from. */
export interface NodeStatusFacts {
  machine: MachineInfo;
  configuration: KubeletConfiguration;
  nodeName: string;
  ips: readonly string[];
  kubeletPort: number;
  runtime: { name: string; version: string };
  handlers: Awaited<ReturnType<CriClient['runtime']['status']>>['runtimeHandlers'];
  supplementalGroupsPolicy: boolean;
  filesystemBytes: number;
  images: readonly Image[];
  /** What keeps the node from being ready; empty when nothing does. */
  problems: readonly string[];
  nowMs: number;
  previous: Node | undefined;
}

/** Labels that every node carries. */
export function nodeLabels(nodeName: string, machine: MachineInfo): Record<string, string> {
  const { architecture } = machine;
  return {
    'kubernetes.io/hostname': nodeName,
    'kubernetes.io/os': 'linux',
    'kubernetes.io/arch': architecture,
    'beta.kubernetes.io/os': 'linux',
    'beta.kubernetes.io/arch': architecture,
  };
}

/** The whole status of the node. */
export function nodeStatus(facts: NodeStatusFacts): NodeStatus {
  const { machine, nodeName, ips, kubeletPort, runtime } = facts;
  const capacity = nodeCapacity(facts);
  return {
    capacity,
    allocatable: nodeAllocatable(capacity, facts.configuration),
    conditions: nodeConditions(facts),
    addresses: [
      ...ips.map((address) => ({ type: 'InternalIP' as const, address })),
      { type: 'Hostname' as const, address: nodeName },
    ],
    daemonEndpoints: { kubeletEndpoint: { Port: kubeletPort } },
    nodeInfo: {
      machineID: machine.machineId,
      systemUUID: machine.systemUuid,
      bootID: machine.bootId,
      kernelVersion: machine.kernelVersion,
      osImage: machine.osImage,
      containerRuntimeVersion: `${runtime.name}://${runtime.version}`,
      kubeletVersion,
      kubeProxyVersion: '',
      operatingSystem: 'linux',
      architecture: machine.architecture,
    },
    images: nodeImages(facts.images, facts.configuration.nodeStatusMaxImages),
    runtimeHandlers: facts.handlers.map(({ name, features }) => ({
      name,
      features: {
        recursiveReadOnlyMounts: features?.recursiveReadOnlyMounts ?? false,
        userNamespaces: features?.userNamespaces ?? false,
      },
    })),
    features: { supplementalGroupsPolicy: facts.supplementalGroupsPolicy },
    declaredFeatures,
  };
}

/** What the machine has. */
export function nodeCapacity(
  facts: Pick<NodeStatusFacts, 'machine' | 'configuration' | 'filesystemBytes'>,
): Record<string, string> {
  const { machine, configuration, filesystemBytes } = facts;
  const { maxPods, podsPerCore } = configuration;
  const pods = podsPerCore > 0 ? Math.min(maxPods, podsPerCore * machine.cores) : maxPods;
  return {
    cpu: String(machine.cores),
    memory: `${Math.floor(machine.memoryBytes / 1_024)}Ki`,
    'ephemeral-storage': `${Math.floor(filesystemBytes / 1_024)}Ki`,
    'hugepages-1Gi': '0',
    'hugepages-2Mi': '0',
    pods: String(pods),
  };
}

const evictionHardDefault: Record<string, string> = {
  'memory.available': '100Mi',
  'nodefs.available': '10%',
};

/** What pods may use of `capacity`: reserves and hard eviction thresholds taken away. */
export function nodeAllocatable(
  capacity: Record<string, string>,
  { kubeReserved, systemReserved, evictionHard }: KubeletConfiguration,
): Record<string, string> {
  const thresholds = Object.keys(evictionHard).length > 0 ? evictionHard : evictionHardDefault;
  const reservedOf = (resource: string) =>
    [kubeReserved, systemReserved].reduce(
      (sum, reserve) => sum + amountOf(ownValue(reserve, resource) ?? '0'),
      0,
    );
  const total = (resource: string) => amountOf(ownValue(capacity, resource) ?? '0');
  const threshold = (signal: string, resource: string) => {
    const text = ownValue(thresholds, signal) ?? '0';
    return text.endsWith('%') ? (total(resource) * Number(text.slice(0, -1))) / 100 : amountOf(text);
  };
  const memory = total('memory') - reservedOf('memory') - threshold('memory.available', 'memory');
  const disk =
    total('ephemeral-storage') -
    reservedOf('ephemeral-storage') -
    threshold('nodefs.available', 'ephemeral-storage');
  const milliCpu = Math.floor((total('cpu') - reservedOf('cpu')) * 1_000);
  return {
    ...capacity,
    cpu: milliCpu % 1_000 === 0 ? String(Math.max(0, milliCpu / 1_000)) : `${Math.max(0, milliCpu)}m`,
    memory: `${Math.max(0, Math.floor(memory / 1_024))}Ki`,
    'ephemeral-storage': String(Math.max(0, Math.floor(disk))),
  };
}

function nodeConditions({ problems, nowMs, previous }: NodeStatusFacts): NodeCondition[] {
  const isReady = problems.length === 0;
  const verdicts: Omit<NodeCondition, 'lastHeartbeatTime' | 'lastTransitionTime'>[] = [
    {
      type: 'MemoryPressure',
      status: 'False',
      reason: 'KubeletHasSufficientMemory',
      message: 'kubelet has sufficient memory available',
    },
    {
      type: 'DiskPressure',
      status: 'False',
      reason: 'KubeletHasNoDiskPressure',
      message: 'kubelet has no disk pressure',
    },
    {
      type: 'PIDPressure',
      status: 'False',
      reason: 'KubeletHasSufficientPID',
      message: 'kubelet has sufficient PID available',
    },
    isReady
      ? { type: 'Ready', status: 'True', reason: 'KubeletReady', message: 'kubelet is posting ready status' }
      : { type: 'Ready', status: 'False', reason: 'KubeletNotReady', message: problems.join(', ') },
  ];
  const now = apiTime(nowMs);
  return verdicts.map((verdict) => {
    const before = previous?.status?.conditions?.find(({ type }) => type === verdict.type);
    const lastTransitionTime = before?.status === verdict.status ? (before.lastTransitionTime ?? now) : now;
    return { ...verdict, lastHeartbeatTime: now, lastTransitionTime };
  });
}

const namesPerImageMax = 5;

function nodeImages(images: readonly Image[], imagesMax: number): ContainerImage[] {
  const largest = [...images].sort((a, b) => b.size - a.size);
  return (imagesMax < 0 ? largest : largest.slice(0, imagesMax)).map(({ repoDigests, repoTags, size }) => ({
    names: [...repoDigests, ...repoTags].slice(0, namesPerImageMax),
    sizeBytes: size,
  }));
}

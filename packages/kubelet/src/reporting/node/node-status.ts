import type { CriClient, Image } from '@wherry/cri';
import {
  aggregateText,
  type ContainerImage,
  type Node,
  type NodeCondition,
  type NodeStatus,
} from '@wherry/kubeapi';
import { nodeLabelKeys } from '@wherry/podrules';
import type { KubeletConfiguration } from '../../configuration/configuration.ts';
import type { MachineInfo } from '../../ground/machine-info.ts';
import { nodeAllocatable, nodeCapacity } from '../../ground/node-capacity.ts';
import type { PressureType } from '../../observation/pressure/pressure-state.ts';
import { apiTime } from '../status/container-statuses.ts';

/** The version of Kubernetes whose kubelet this one stands in for. */
export const kubeletVersion = 'v1.36.2';

/**
 * What this kubelet has of the features that pods may ask for, sorted (component-helpers/nodedeclaredfeatures);
 * `UserNamespacesHostNetworkSupport` is off in upstream's kubelet.
 */
export const declaredFeatures = [
  'ExtendWebSocketsToKubelet',
  'InPlacePodLevelResourcesVerticalScaling',
  'InPlacePodVerticalScalingInitContainers',
  'RestartAllContainersOnContainerExits',
];

/** Resources of the node by name that something else than the machine itself brings. */
export interface DeviceCapacity {
  capacity: Readonly<Record<string, string>>;
  /** Without what is out of order. */
  allocatable: Readonly<Record<string, string>>;
}

/** What a node's status is computed from. */
export interface NodeStatusFacts {
  machine: MachineInfo;
  configuration: KubeletConfiguration;
  nodeName: string;
  ips: readonly string[];
  /** Addresses that the node has already are somebody else's to change. */
  keepsAddresses: boolean;
  kubeletPort: number;
  runtime: { name: string; version: string };
  handlers: Awaited<ReturnType<CriClient['runtime']['status']>>['runtimeHandlers'];
  supplementalGroupsPolicy: boolean;
  filesystemBytes: number;
  images: readonly Image[];
  /** What keeps the node from being ready; empty when nothing does. */
  problems: readonly string[];
  /** What the node is short of. */
  pressures: ReadonlySet<PressureType>;
  nowMs: number;
  /** Volumes that must not be taken from the node, by name. */
  volumesInUse: readonly string[];
  devices: DeviceCapacity;
  previous: Node | undefined;
}

/** Labels that every node carries. */
export function nodeLabels(nodeName: string, machine: MachineInfo): Record<string, string> {
  const { architecture } = machine;
  return {
    [nodeLabelKeys.hostname]: nodeName,
    ...platformLabels(machine),
    [nodeLabelKeys.betaOs]: 'linux',
    [nodeLabelKeys.betaArch]: architecture,
  };
}

/** Those of its labels that say which programs it runs. */
export const platformLabels = ({ architecture }: MachineInfo): Record<string, string> => ({
  [nodeLabelKeys.os]: 'linux',
  [nodeLabelKeys.arch]: architecture,
});

function keptAddresses({ keepsAddresses, previous }: NodeStatusFacts): NodeStatus['addresses'] {
  const addresses = previous?.status?.addresses ?? [];
  return keepsAddresses && addresses.length > 0 ? addresses : undefined;
}

/** The whole status of the node. */
export function nodeStatus(facts: NodeStatusFacts): NodeStatus {
  const { machine, nodeName, ips, kubeletPort, runtime } = facts;
  const capacity = nodeCapacity(facts);
  const { devices, previous } = facts;
  const own = nodeAllocatable(capacity, facts.configuration);
  const others = othersOf(previous?.status?.capacity);
  return {
    capacity: { ...others, ...capacity, ...devices.capacity },
    allocatable: { ...others, ...own, ...devices.allocatable },
    conditions: nodeConditions(facts),
    addresses: keptAddresses(facts) ?? [
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
      containerRuntimeVersion: `${runtime.name}://${runtime.version || 'Unknown'}`,
      kubeletVersion,
      kubeProxyVersion: '',
      operatingSystem: 'linux',
      architecture: machine.architecture,
      ...(machine.swapBytes > 0 ? { swap: { capacity: machine.swapBytes } } : {}),
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
    ...inUse(facts),
  };
}

/** Resources that somebody else counts in the node's capacity: they stay there, and pods may have all of them. */
function othersOf(amounts: Readonly<Record<string, string>> = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(amounts).filter(([name]) => name.includes('/')));
}

/** Nothing where nothing was: an empty list is stored as none. */
function inUse({ volumesInUse, previous }: NodeStatusFacts): Pick<NodeStatus, 'volumesInUse'> {
  if (volumesInUse.length === 0 && !previous?.status?.volumesInUse?.length) return {};
  return { volumesInUse: [...volumesInUse] };
}

/** Reason and message of a condition while it does not hold, and while it does (pkg/kubelet/nodestatus/setters.go). */
const pressureWords: Record<PressureType, [fine: [string, string], short: [string, string]]> = {
  MemoryPressure: [
    ['KubeletHasSufficientMemory', 'kubelet has sufficient memory available'],
    ['KubeletHasInsufficientMemory', 'kubelet has insufficient memory available'],
  ],
  DiskPressure: [
    ['KubeletHasNoDiskPressure', 'kubelet has no disk pressure'],
    ['KubeletHasDiskPressure', 'kubelet has disk pressure'],
  ],
  PIDPressure: [
    ['KubeletHasSufficientPID', 'kubelet has sufficient PID available'],
    ['KubeletHasInsufficientPID', 'kubelet has insufficient PID available'],
  ],
};

function nodeConditions({ problems, pressures, nowMs, previous }: NodeStatusFacts): NodeCondition[] {
  const isReady = problems.length === 0;
  const verdicts: Omit<NodeCondition, 'lastHeartbeatTime' | 'lastTransitionTime'>[] = [
    ...Object.entries(pressureWords).map(([type, [fine, short]]) => {
      const holds = pressures.has(type as PressureType);
      const [reason, message] = holds ? short : fine;
      return { type, status: holds ? ('True' as const) : ('False' as const), reason, message };
    }),
    isReady
      ? { type: 'Ready', status: 'True', reason: 'KubeletReady', message: 'kubelet is posting ready status' }
      : { type: 'Ready', status: 'False', reason: 'KubeletNotReady', message: aggregateText(problems) },
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
  // Of one size always in the same order: else each report would change the node.
  const largest = [...images].sort((a, b) => b.size - a.size || (a.id < b.id ? 1 : -1));
  return (imagesMax < 0 ? largest : largest.slice(0, imagesMax)).map(({ repoDigests, repoTags, size }) => ({
    names: [...repoDigests, ...repoTags].slice(0, namesPerImageMax),
    sizeBytes: size,
  }));
}

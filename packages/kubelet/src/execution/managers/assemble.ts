import { isTerminalPhase } from '@wherry/podrules';
import { ConfigurationError } from '../../configuration/configuration-error.ts';
import { isGateOn } from '../../configuration/feature-gates.ts';
import type { AssignedPod } from '../../pod/assigned-pod.ts';
import { assembleClaims, type Claims } from '../claims/assemble.ts';
import { assembleCpus } from '../cpus/assemble.ts';
import { assembleDevices } from '../devices/assemble.ts';
import type { DeviceManager } from '../devices/device-manager.ts';
import type { DeviceRegistry } from '../devices/device-registry.ts';
import { assembleMemory } from '../memory/assemble.ts';
import type { RoomsBelow } from '../rooms-below.ts';
import { MemoryNodes } from '../topology/memory-nodes.ts';
import { topologyRules } from '../topology/topology-options.ts';
import { Turns } from '../topology/turns.ts';
import { CpuReconciler } from './cpu-reconciler.ts';
import { managersFigures } from './managers-figures.ts';
import { PodResourcesServer } from './pod-resources.ts';
import { podResourcesFigures } from './pod-resources-figures.ts';
import { ResourceManagers } from './resource-managers.ts';

/** What gives pods devices, processors and memory, and what tells of it. */
export interface Managers {
  joined: ResourceManagers;
  devices: DeviceManager;
  /** Claims on devices that drivers prepare. */
  claims: Claims;
  /** Where device plug-ins register. */
  registry: DeviceRegistry;
  podResources: PodResourcesServer;
  /** Keeps running containers on their processors. */
  reconciler: CpuReconciler;
}

/** Builds them; nothing listens yet. Throws ConfigurationError where a policy can't be had here. */
export function assembleManagers(rooms: RoomsBelow): Managers {
  const { ground, board, observation, reporting } = rooms;
  const { statuses } = reporting;
  const { clock, logger, metrics, paths, configuration, cri, topology } = ground;
  const { store, phases, signals } = board;
  const isActive = (uid: string) => {
    const phase = phases.of(uid);
    if (phase === undefined) {
      // One that is about to run, and none that was refused or has ended.
      const pod = store.get(uid);
      return pod !== undefined && !isTerminalPhase((statuses.get(uid) ?? pod.status)?.phase);
    }
    return phase === 'syncing' || phase === 'terminating';
  };
  const activePods = (): AssignedPod[] => [...store.pods].filter(({ metadata }) => isActive(metadata.uid));
  const nodes = new MemoryNodes(topology);
  const turns = new Turns();
  const { manager: devices, registry } = assembleDevices(rooms, { nodes, turns });
  const claims = assembleClaims(rooms);
  const figures = managersFigures(metrics);
  if (configuration.topologyManagerPolicy !== 'none')
    for (const scope of ['container', 'pod'] as const)
      figures.alignment.begin(scope, { given: ['numa_node'], failed: ['numa_node'] });
  const { rules, cpus, memory } = asConfigured(() => ({
    rules: topologyRules(configuration, nodes),
    cpus: assembleCpus(ground, { nodes, alignment: figures.alignment }),
    memory: assembleMemory(ground, nodes),
  }));
  const joined = new ResourceManagers({
    ...{ devices, cpus, memory, rules, turns, figures, clock, isActive },
    scope: configuration.topologyManagerScope,
    onShared: () => reconciler.wake(),
  });
  const reconciler = new CpuReconciler({
    ...{ cpus, runtime: cri.runtime, clock, logger, activePods },
    periodMs: configuration.cpuManagerReconcilePeriod,
    record: (uid) => observation.cache.peek(uid),
    collect: () => joined.collect(),
  });
  signals.listen({ podFinished: () => reconciler.wake() });
  const podResources = new PodResourcesServer({
    ...{ socketPath: paths.podResourcesSocket, devices, cpus, memory, clock, logger, activePods },
    claims: claims.views,
    figures: podResourcesFigures(metrics),
    allPods: () => [...store.pods],
    listsActive: isGateOn(configuration.featureGates, 'KubeletPodResourcesListUseActivePods'),
    find: (namespace, name) => store.find(namespace, name),
  });
  return { joined, devices, claims, registry, podResources, reconciler };
}

function asConfigured<Result>(build: () => Result): Result {
  try {
    return build();
  } catch (error) {
    throw new ConfigurationError([(error as Error).message]);
  }
}

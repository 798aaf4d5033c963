import type { PodBoard } from '../board/pod-board.ts';
import type { Execution } from '../execution/assemble.ts';
import type { Ground } from '../ground/ground.ts';
import { swapRules } from '../ground/node-capacity.ts';
import type { Observation } from '../observation/assemble.ts';
import type { Reporting } from '../reporting/assemble.ts';
import { rejectionFigures } from './admission/rejection-figures.ts';
import { resizeFigures } from './resize/resize-figures.ts';
import { resizeObjection } from './resize/resize-objections.ts';
import { ApiSource } from './sources/api-source.ts';
import { FileSource } from './sources/file-source.ts';
import { HttpSource } from './sources/http-source.ts';
import type { PodSource, PodSourceHandlers } from './sources/pod-changes.ts';
import { SyncLoop } from './sync-loop.ts';

/** What is wanted: the sources of pods, and the loop that takes from them what may run here. */
export interface Intake {
  loop: SyncLoop;
  sources: readonly PodSource[];
}

/** The rooms that it stands on. */
export interface IntakeRooms {
  ground: Ground;
  board: PodBoard;
  observation: Observation;
  reporting: Reporting;
  execution: Execution;
}

/** Builds it; nothing is taken yet. */
export function assembleIntake(rooms: IntakeRooms): Intake {
  const { ground, board, observation, reporting, execution } = rooms;
  const { clock, logger, addresses, configuration, host, client } = ground;
  const { agent, recorder, statuses, mirrors } = reporting;
  const loop = new SyncLoop({
    store: board.store,
    workers: execution.workers,
    statuses,
    cache: observation.cache,
    clock,
    logger,
    recorder,
    hostIps: () => addresses.ips,
    sources: [client, configuration.staticPodPath, configuration.staticPodURL].filter(Boolean).length,
    allowedUnsafeSysctls: configuration.allowedUnsafeSysctls,
    host,
    pressures: () => observation.pressure.holding,
    isShuttingDown: () => observation.shutdown.isUnderWay,
    allocatable: () => ground.allocatable,
    node: () => agent.node,
    lookAtNode: () => agent.look(),
    allocations: board.allocations,
    managers: execution.managers.joined,
    resizes: board.resizes,
    accepted: ground.metrics.counter(
      'kubelet_pod_deferred_accepted_resizes_total',
      'Resizes that had to wait and were granted, by what made the node look again.',
    ),
    onRejected: rejectionFigures(ground.metrics),
    onAsked: resizeFigures(ground.metrics),
    orphans: ground.metrics.plainCounter(
      'kubelet_orphaned_runtime_pods_total',
      'Pods that the runtime held and no source named.',
    ),
    infeasible: ground.metrics.counter(
      'kubelet_pod_infeasible_resizes_total',
      'Resizes that can never be granted, by why.',
    ),
    objectionTo: (pod, given) =>
      resizeObjection(pod, given, { policies: configuration, swap: swapRules(ground) }),
    preemptions: ground.metrics.counter(
      'kubelet_preemptions',
      'Pods that were ended so that a critical one fits, by the resource that was short.',
    ),
    removeMirror: (mirror) => mirrors?.remove(mirror),
    collectGarbage: (isKept) => execution.upkeep.collect(isKept),
  });
  board.signals.listen(loop);
  return { loop, sources: podSources(ground, reporting, loop) };
}

function podSources(
  ground: Ground,
  { recorder, starts, statuses }: Reporting,
  handlers: PodSourceHandlers,
): PodSource[] {
  const { client, clock, logger, nodeName, machine, configuration } = ground;
  const { staticPodPath: folder, fileCheckFrequency, staticPodURL: url, httpCheckFrequency } = configuration;
  const { hostname } = machine;
  const common = { nodeName, clock, logger, recorder, handlers };
  const headers = configuration.staticPodURLHeader;
  return [
    ...(folder ? [new FileSource({ ...common, folder, hostname, checkMs: fileCheckFrequency })] : []),
    ...(url ? [new HttpSource({ ...common, url, headers, checkMs: httpCheckFrequency })] : []),
    ...(client ? [new ApiSource({ client, clock, logger, nodeName, handlers, starts, statuses })] : []),
  ];
}

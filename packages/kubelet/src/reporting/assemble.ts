import type { PodBoard } from '../board/pod-board.ts';
import type { Ground } from '../ground/ground.ts';
import type { Observation } from '../observation/assemble.ts';
import { NodeEvents } from './events/node-events.ts';
import { KernelLog } from './memory-kills/kernel-log.ts';
import { MemoryKillWatcher } from './memory-kills/memory-kill-watcher.ts';
import { MirrorPods } from './mirror-pods.ts';
import { NodeAgent } from './node/node-agent.ts';
import { StartTimes } from './status/start-times.ts';
import { StatusManager } from './status/status-manager.ts';

/** What the API server is told: events, pods' statuses, static pods, the node. */
export interface Reporting {
  recorder: NodeEvents;
  statuses: StatusManager;
  /** How long pods take to start. */
  starts: StartTimes;
  /** Undefined for a kubelet without an API server. */
  mirrors: MirrorPods | undefined;
  agent: NodeAgent;
  /** Tells when the machine has no memory left. */
  memoryKills: MemoryKillWatcher;
}

/** Builds it; nothing is told yet. */
export function assembleReporting(
  ground: Ground,
  { store, phases }: PodBoard,
  { lifecycle, pressure, shutdown }: Observation,
): Reporting {
  const { client, clock, logger, metrics, nodeName, configuration } = ground;
  const recorder = new NodeEvents({
    client,
    clock,
    logger,
    nodeName,
    dropped: metrics.counter('kubelet_events_dropped_total', 'Events that were not sent, by why.'),
    rate: { perSecond: configuration.eventRecordQPS, burst: configuration.eventBurst },
  });
  const mirrors = client && new MirrorPods({ client, nodeName, store, logger });
  const starts = new StartTimes({ clock, metrics });
  const statuses = new StatusManager({
    ...{ client, clock, logger, metrics, starts },
    apiPod: (pod) => store.apiPod(pod),
    mayDelete: (uid) => phases.of(uid) === 'finished',
  });
  const agent = new NodeAgent({
    ground,
    recorder,
    pressure,
    isShuttingDown: () => shutdown.isUnderWay,
    lifecycleProblem: () => lifecycle.problem,
    onRegistered: (node) => mirrors?.nodeRegistered(node),
  });
  const memoryKills = new MemoryKillWatcher({
    open: () => new KernelLog(),
    ...{ clock, logger, recorder, nodeName },
  });
  return { recorder, statuses, starts, mirrors, agent, memoryKills };
}

import { LogindTools } from '../../observation/node-shutdown/logind-tools.ts';
import type { AssignedPod } from '../../pod/assigned-pod.ts';
import type { RoomsBelow } from '../rooms-below.ts';
import type { PodWorkers } from '../workers/pod-workers.ts';
import { NodeShutdown } from './node-shutdown.ts';
import { shutdownDurationMs, shutdownGracesOf } from './shutdown-groups.ts';
import { ShutdownWatch } from './shutdown-watch.ts';

/** Undefined where the configuration gives pods no time before the machine shuts down. */
export function assembleNodeShutdown(
  { ground, board, observation, reporting }: RoomsBelow,
  { workers, activePods }: { workers: PodWorkers; activePods(): AssignedPod[] },
): ShutdownWatch | undefined {
  const { clock, logger, configuration, nodeName } = ground;
  const graces = shutdownGracesOf(configuration);
  if (graces.length === 0) return undefined;
  const shutdown = new NodeShutdown({
    graces,
    record: observation.shutdown,
    clock,
    logger,
    recorder: reporting.recorder,
    nodeName,
    activePods,
    kill: (uid, reason) => workers.kill(uid, reason),
    isGone: (uid) => (board.phases.of(uid) ?? 'finished') === 'finished',
    onChanged: () => reporting.agent.conditionsChanged(),
  });
  return new ShutdownWatch({
    logind: new LogindTools({ clock }),
    clock,
    logger,
    delayMs: shutdownDurationMs(graces),
    onShutdown: (signal) => shutdown.begin(signal),
    onCancelled: () => shutdown.cancel(),
  });
}

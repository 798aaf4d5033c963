import type { Clock } from '@wherry/clock';
import type { Logger } from '@wherry/telemetry';
import type { ShutdownGrace } from '../../configuration/shutdown-graces.ts';
import type { ShutdownRecord } from '../../observation/node-shutdown/shutdown-record.ts';
import type { AssignedPod } from '../../pod/assigned-pod.ts';
import { type EventRecorder, nodeEvents } from '../../reporting/events/recorder.ts';
import type { KillReason } from '../workers/pod-worker.ts';
import { untilGone } from '../workers/until-gone.ts';
import { graceInGroup, type ShutdownGroup, shutdownGroups } from './shutdown-groups.ts';

/** What it is made of. */
export interface NodeShutdownOptions {
  graces: readonly ShutdownGrace[];
  record: ShutdownRecord;
  clock: Clock;
  logger: Logger;
  recorder: EventRecorder;
  nodeName: string;
  /** Pods that run, are about to, or still stop. */
  activePods(): AssignedPod[];
  kill(uid: string, reason: KillReason): void;
  /** Nothing of the pod is left to stop or to clear, its volumes included. */
  isGone(uid: string): boolean;
  /** The node is ready no longer, or again. */
  onChanged(): void;
}

const message = 'Pod was terminated in response to imminent node shutdown.';

/** Ends the pods before the machine shuts down: group after group, lowest priority first, each within its grace. */
export class NodeShutdown {
  readonly #options: NodeShutdownOptions;

  constructor(options: NodeShutdownOptions) {
    this.#options = options;
  }

  /** Resolves when every group has ended or taken its time; groups that have not begun when `signal` is aborted live on. */
  async begin(signal: AbortSignal): Promise<void> {
    const { record, graces, activePods, onChanged } = this.#options;
    this.#tell('Shutdown manager detected shutdown event');
    const pods = activePods();
    record.begin();
    onChanged();
    try {
      for (const group of shutdownGroups(graces, pods)) {
        if (signal.aborted) break;
        await this.#end(group, signal);
      }
    } finally {
      record.end();
    }
  }

  /** The machine stays on: the node takes pods again. */
  cancel(): void {
    const { record, onChanged } = this.#options;
    this.#tell('Shutdown manager detected shutdown cancellation');
    record.cancel();
    onChanged();
  }

  async #end(group: ShutdownGroup, signal: AbortSignal): Promise<void> {
    const { kill, clock, isGone, logger } = this.#options;
    const { priority, graceSeconds, pods } = group;
    logger.info('pods end for the shutdown', { priority, graceSeconds, pods: pods.length });
    for (const pod of pods)
      kill(pod.metadata.uid, {
        graceSeconds: graceInGroup(group, pod),
        verdict: {
          phase: 'Failed',
          reason: 'Terminated',
          message,
          isDisruption: true,
          yieldsToSuccess: true,
        },
      });
    const areGone = await untilGone(pods, { clock, patienceMs: 1_000 * graceSeconds, isGone, signal });
    if (!areGone && !signal.aborted)
      logger.warn('pods did not end within the grace of their priority', { priority, graceSeconds });
  }

  #tell(message: string): void {
    const { recorder, nodeName, logger } = this.#options;
    logger.info(message);
    nodeEvents(recorder, nodeName).normal('Shutdown', message);
  }
}

import { type KubeClient, kinds } from '@wherry/client';
import type { Clock } from '@wherry/clock';
import { type Binding, type Pod, type PodCondition, timeFromMs } from '@wherry/kubeapi/objects';
import { disruptPod } from '../../machinery/disrupt-pod.ts';
import type { EventRecorder } from '../../machinery/events.ts';
import { isLateWrite } from '../../machinery/late-write.ts';
import type { PodInfo } from '../cluster/pod-info.ts';
import { schedulerOf } from '../profiles/profile.ts';
import { step } from './failed-step.ts';

/** Upstream's NoteLengthLimit. */
const eventTextMax = 1024;

/** What becomes of a pod that found no place. */
export interface Outcome {
  message: string;
  /** The node where others make room; '' takes an earlier promise back; undefined leaves it. */
  nominatedNodeName?: string;
  /** Default: it found none. */
  reason?: 'SchedulerError';
}

interface PodWritesOptions {
  client: KubeClient;
  clock: Clock;
  /** Makes who tells of events in the name of a scheduler. */
  recorderOf(schedulerName: string): EventRecorder;
}

/** What the scheduler writes about pods; its events come from who the pod names as its scheduler. */
export class PodWrites {
  readonly #client: KubeClient;
  readonly #clock: Clock;
  readonly #makeRecorder: PodWritesOptions['recorderOf'];
  /** One for each profile that had something to say. */
  readonly #recorders = new Map<string, EventRecorder>();

  constructor({ client, clock, recorderOf }: PodWritesOptions) {
    this.#client = client;
    this.#clock = clock;
    this.#makeRecorder = recorderOf;
  }

  /** Gives the pod its node, or has `bindElsewhere` do it, where that does it. */
  async bind(
    { pod }: PodInfo,
    nodeName: string,
    { bindElsewhere, signal }: { bindElsewhere?: (() => Promise<boolean>) | undefined; signal: AbortSignal },
  ): Promise<void> {
    const { name = '', namespace = '', uid } = pod.metadata;
    const binding: Binding = {
      apiVersion: 'v1',
      kind: 'Binding',
      metadata: { name, namespace, uid },
      target: { apiVersion: 'v1', kind: 'Node', name: nodeName },
    };
    // The node's own events may come before the answer.
    const seenMs = this.#clock.nowMs();
    const isBound = await bindElsewhere?.();
    if (!isBound)
      await step(
        'Bind plugin "DefaultBinder"',
        this.#client
          .resource(kinds.pods)
          .create(binding, { name, namespace, subresource: 'binding', signal }),
      );
    const message = `Successfully assigned ${namespace}/${name} to ${nodeName}`;
    this.#recorderOf(pod).record(pod, { type: 'Normal', reason: 'Scheduled', message, seenMs });
  }

  /** Says why the pod has no node by an event, each time, and in its status, with the node that it will have, where that is news. */
  async tellRefused({ pod }: PodInfo, outcome: Outcome, signal: AbortSignal): Promise<void> {
    const {
      message,
      reason = 'Unschedulable',
      nominatedNodeName = pod.status?.nominatedNodeName ?? '',
    } = outcome;
    const known = pod.status?.conditions?.find(({ type }) => type === 'PodScheduled');
    const isTold = known?.status === 'False' && known.message === message && known.reason === reason;
    // Events live for an hour, and pods may wait for longer; the same words are counted, not repeated.
    this.#recorderOf(pod).record(pod, {
      ...{ type: 'Warning', reason: 'FailedScheduling' },
      message: short(message),
    });
    const isCurrent = isTold && known.observedGeneration === pod.metadata.generation;
    if (isCurrent && nominatedNodeName === (pod.status?.nominatedNodeName ?? '')) return;
    const now = timeFromMs(this.#clock.nowMs());
    const condition: PodCondition = {
      ...{
        type: 'PodScheduled',
        status: 'False',
        reason,
        message,
        lastProbeTime: null as never,
      },
      lastTransitionTime: known?.status === 'False' ? (known.lastTransitionTime ?? now) : now,
      observedGeneration: pod.metadata.generation,
    };
    await this.#patchStatus(
      pod,
      { conditions: [condition], nominatedNodeName: nominatedNodeName || null },
      signal,
    );
  }

  /** Tells that the pod has a node, and goes there once its devices are ready. */
  tellWaiting({ pod }: PodInfo, nodeName: string): void {
    const message = `waiting for binding conditions for device on node ${nodeName}`;
    this.#recorderOf(pod).record(pod, { type: 'Normal', reason: 'BindingConditionsPending', message });
  }

  /** Takes back what was promised to a pod of lower priority. */
  async clearNomination({ pod }: PodInfo, signal: AbortSignal): Promise<void> {
    if (pod.status?.nominatedNodeName) await this.#patchStatus(pod, { nominatedNodeName: null }, signal);
  }

  /** Ends a pod that another of higher priority needs the room of. One that is on its way out is left alone. */
  async preempt(
    { pod }: PodInfo,
    { preemptor, nodeName }: { preemptor: PodInfo; nodeName: string },
    signal: AbortSignal,
  ): Promise<void> {
    if (pod.metadata.deletionTimestamp) return;
    const message = `${schedulerOf(preemptor.pod)}: preempting to accommodate a higher priority pod`;
    try {
      const cluster = { client: this.#client, clock: this.#clock };
      await disruptPod(cluster, pod, { reason: 'PreemptionByScheduler', message, signal });
    } catch (error) {
      if (isLateWrite(error)) return;
      throw error;
    }
    const note = `Preempted by pod ${preemptor.uid} on node ${nodeName}`;
    this.#recorderOf(preemptor.pod).record(pod, { type: 'Normal', reason: 'Preempted', message: note });
  }

  #recorderOf(pod: Pod): EventRecorder {
    const component = schedulerOf(pod);
    const recorder = this.#recorders.get(component) ?? this.#makeRecorder(component);
    this.#recorders.set(component, recorder);
    return recorder;
  }

  async #patchStatus({ metadata }: Pod, status: object, signal: AbortSignal): Promise<void> {
    const { name = '', namespace, uid } = metadata;
    const patch = { metadata: { uid }, status };
    await this.#client
      .resource(kinds.pods)
      .patch({ name, namespace, subresource: 'status', type: 'strategic', patch, signal });
  }
}

function short(message: string): string {
  const end = ' ...';
  return message.length <= eventTextMax ? message : message.slice(0, eventTextMax - end.length) + end;
}

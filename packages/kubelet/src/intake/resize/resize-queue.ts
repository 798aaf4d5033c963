import type { Clock } from '@wherry/clock';
import { isFinished } from '@wherry/podrules';
import type { Counter } from '@wherry/telemetry';
import type { Allocations } from '../../board/allocations.ts';
import type { PodStore } from '../../board/pod-store.ts';
import type { ResizeStates } from '../../board/resize-states.ts';
import { resizeRetry } from '../../limits.ts';
import { allocationOf, isSameAllocation } from '../../pod/allocation.ts';
import type { AssignedPod } from '../../pod/assigned-pod.ts';
import { resizeMessage } from '../../pod/resize-message.ts';
import { type EventRecorder, podEvents } from '../../reporting/events/recorder.ts';
import type { PodVerdict } from '../../reporting/status/pod-status.ts';
import type { ResizeObjection } from './resize-objections.ts';
import { compareResizes } from './resize-order.ts';

/** Why waiting resizes are looked at again, in upstream's words. */
export type RetryCause = 'pods_added' | 'pod_updated' | 'pods_removed' | 'pod_resized' | 'periodic_retry';

/** What the queue is made of. */
export interface ResizeQueueOptions {
  store: PodStore;
  allocations: Allocations;
  states: ResizeStates;
  clock: Clock;
  recorder: EventRecorder;
  /** Whether every source of pods has spoken: before, nobody knows what is free. */
  isReady(): boolean;
  /** Why the pod can never have what it asks for by now; undefined where it may. */
  objectionTo(pod: AssignedPod, given: AssignedPod): ResizeObjection | undefined;
  /** Hears what a newer version of a pod may ask for beside the one before. */
  onAsked(before: AssignedPod, after: AssignedPod): void;
  /** Resizes that can never be, by why. */
  infeasible: Counter;
  /** Whether the pod, as it is to be, has a place beside the others; why not. */
  refusalOf(pod: AssignedPod): PodVerdict | undefined;
  /** Resizes that had to wait and were granted, by why they were looked at again. */
  accepted: Counter;
  /** The pod has to be looked at: its resources or what is told of them changed. */
  wake(uid: string): void;
}

/** Resizes that were asked for and not granted. One that can't be granted now waits until the node has room. */
export class ResizeQueue {
  readonly #options: ResizeQueueOptions;
  /** Pods by UID, with their turn. */
  readonly #waiting = new Map<string, number>();
  #turns = 0;
  #dueMs: number;

  constructor(options: ResizeQueueOptions) {
    this.#options = options;
    this.#dueMs = options.clock.monotonicMs() + resizeRetry.firstMs;
  }

  /** A pod was admitted, perhaps again after a restart: what it was given may not be what it asks for. */
  added(pod: AssignedPod): void {
    const { states, allocations } = this.#options;
    states.adopt(pod.metadata.uid, pod.status?.conditions ?? []);
    if (allocations.given(pod) === pod) return;
    this.#push(pod);
    this.retry('pods_added');
  }

  /** A pod's source says something new of it. */
  updated(pod: AssignedPod, previous: AssignedPod | undefined): void {
    const { allocations, states, wake, onAsked } = this.#options;
    const { uid } = pod.metadata;
    if (previous) onAsked(previous, pod);
    if (
      !previous ||
      isSameAllocation(allocationOf(pod), allocationOf(previous)) ||
      isFinished(pod) ||
      !allocations.knows(uid)
    )
      return;
    this.#push(pod);
    if (allocations.given(pod) === pod) {
      // What was asked for is taken back.
      this.#waiting.delete(uid);
      states.settle(uid);
      wake(uid);
      return;
    }
    this.retry('pod_updated');
  }

  /** Looks at those that wait, after the time for it has come. */
  tick(): void {
    if (this.#options.clock.monotonicMs() >= this.#dueMs) this.retry('periodic_retry');
  }

  /** Something may be free: looks at all that wait, the most important first. */
  retry(cause: RetryCause): void {
    const { clock, isReady, allocations, store, states, wake, accepted } = this.#options;
    const isTime = isReady();
    this.#dueMs = clock.monotonicMs() + (isTime ? resizeRetry.periodMs : resizeRetry.firstMs);
    if (!isTime || this.#waiting.size === 0) return;
    const resizes = [...this.#waiting].flatMap(([uid, turn]) => {
      const pod = store.get(uid);
      return pod && !isFinished(pod) ? [{ pod, given: allocations.given(pod), turn }] : [];
    });
    this.#waiting.clear();
    for (const { pod, turn } of resizes.toSorted(compareResizes)) {
      const { uid } = pod.metadata;
      const before = JSON.stringify(states.conditionsOf(uid));
      const wasDeferred = states.refusalOf(uid) === 'Deferred';
      const granted = this.#judge(pod);
      if (!granted) this.#waiting.set(uid, turn);
      else if (wasDeferred && states.refusalOf(uid) === undefined) accepted.add(1, { retry_trigger: cause });
      if (granted || JSON.stringify(states.conditionsOf(uid)) !== before) wake(uid);
    }
  }

  forget(uid: string): void {
    this.#waiting.delete(uid);
    this.#options.states.forget(uid);
  }

  #push(pod: AssignedPod): void {
    const { uid } = pod.metadata;
    if (!this.#waiting.has(uid)) this.#waiting.set(uid, this.#turns++);
  }

  /** It is told of, and looked at again when something else is asked for. */
  #refuseForGood(pod: AssignedPod, { reason, message }: ResizeObjection): void {
    const { states, recorder, infeasible } = this.#options;
    const { uid, generation } = pod.metadata;
    if (!states.refuse(uid, { reason: 'Infeasible', message, generation })) return;
    infeasible.add(1, { reason_detail: reason });
    const text = resizeMessage(pod, 'Infeasible', { generation, error: message });
    podEvents(recorder, pod).warn('ResizeInfeasible', text);
  }

  /** True when there is nothing to wait for: the pod has what it asks for, or never will. */
  #judge(pod: AssignedPod): boolean {
    const { allocations, states, recorder, refusalOf, objectionTo } = this.#options;
    const { uid, generation } = pod.metadata;
    const events = podEvents(recorder, pod);
    if (allocations.given(pod) === pod) {
      states.settle(uid);
      return true;
    }
    const objection = objectionTo(pod, allocations.given(pod));
    if (objection) {
      this.#refuseForGood(pod, objection);
      return true;
    }
    const refusal = refusalOf(pod);
    if (!refusal) {
      allocations.set(uid, allocationOf(pod));
      states.grant(uid, generation);
      events.normal('ResizeStarted', resizeMessage(pod, 'started', { generation }));
      return true;
    }
    const message = refusal.message.replace('Pod was rejected: ', '');
    if (states.refuse(uid, { reason: 'Deferred', message, generation }))
      events.warn('ResizeDeferred', resizeMessage(pod, 'Deferred', { generation, error: message }));
    return false;
  }
}

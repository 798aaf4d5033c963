import type { PodCondition } from '@wherry/kubeapi';

/** Why a resize is not granted: later perhaps, or never. */
export type PendingReason = 'Deferred' | 'Infeasible';

/** What is to be told of a resize. */
export interface ResizeCondition {
  type: 'PodResizePending' | 'PodResizeInProgress';
  status: 'True';
  reason?: string;
  message?: string;
  /** Of the pod whose resources are meant. */
  observedGeneration?: number;
}

interface State {
  pending?: ResizeCondition;
  inProgress?: ResizeCondition;
}

const metadataOf = (generation: number | undefined) =>
  generation === undefined ? {} : { observedGeneration: generation };

/** Where the resizes of pods are on their way: asked for and not granted, or granted and not in force everywhere. */
export class ResizeStates {
  readonly #states = new Map<string, State>();

  /** True when that is news: another reason, or other resources. */
  refuse(
    uid: string,
    refusal: { reason: PendingReason; message: string; generation: number | undefined },
  ): boolean {
    const { reason, message, generation } = refusal;
    const state = this.#states.get(uid) ?? {};
    const before = state.pending;
    const pending: ResizeCondition = {
      ...{ type: 'PodResizePending', status: 'True', reason, message },
      ...metadataOf(generation),
    };
    this.#states.set(uid, { ...state, pending });
    return before?.reason !== reason || before.observedGeneration !== generation;
  }

  /** Nothing is asked for that is not granted. */
  settle(uid: string): void {
    const { inProgress } = this.#states.get(uid) ?? {};
    if (inProgress) this.#states.set(uid, { inProgress });
    else this.#states.delete(uid);
  }

  /** A new grant: what went wrong with the one before does not matter any more. */
  grant(uid: string, generation: number | undefined): void {
    this.#states.set(uid, {
      inProgress: { type: 'PodResizeInProgress', status: 'True', ...metadataOf(generation) },
    });
  }

  /** What was granted is not in force yet; what is told of it already stays. */
  begin(uid: string, generation: number | undefined): void {
    const state = this.#states.get(uid) ?? {};
    if (state.inProgress) return;
    const inProgress: ResizeCondition = {
      ...{ type: 'PodResizeInProgress', status: 'True' },
      ...metadataOf(generation),
    };
    this.#states.set(uid, { ...state, inProgress });
  }

  /** What was granted could not be brought about. The generation that it is about, where that is news. */
  fail(
    uid: string,
    message: string,
    generation: number | undefined,
  ): { generation: number | undefined } | undefined {
    const state = this.#states.get(uid) ?? {};
    const before = state.inProgress;
    const about = before ? before.observedGeneration : generation;
    const inProgress: ResizeCondition = {
      ...{ type: 'PodResizeInProgress', status: 'True', reason: 'Error', message },
      ...metadataOf(about),
    };
    this.#states.set(uid, { ...state, inProgress });
    const isNews = before?.reason !== 'Error' || before.message !== message;
    return isNews ? { generation: about } : undefined;
  }

  /** What was granted is in force. The generation that it was about, where one was on its way. */
  complete(uid: string): { generation: number | undefined } | undefined {
    const { pending, inProgress } = this.#states.get(uid) ?? {};
    if (!inProgress) return undefined;
    if (pending) this.#states.set(uid, { pending });
    else this.#states.delete(uid);
    return { generation: inProgress.observedGeneration };
  }

  /** Takes over what a kubelet before this one has told, unless more is known. */
  adopt(uid: string, conditions: readonly PodCondition[]): void {
    if (this.#states.has(uid)) return;
    const find = (type: ResizeCondition['type']) => {
      const told = conditions.find((condition) => condition.type === type);
      if (!told) return undefined;
      const { reason, message, observedGeneration } = told;
      const words = { ...(reason ? { reason } : {}), ...(message ? { message } : {}) };
      return { type, status: 'True' as const, ...words, ...metadataOf(observedGeneration) };
    };
    const [pending, inProgress] = [find('PodResizePending'), find('PodResizeInProgress')];
    if (!pending && !inProgress) return;
    this.#states.set(uid, { ...(pending ? { pending } : {}), ...(inProgress ? { inProgress } : {}) });
  }

  forget(uid: string): void {
    this.#states.delete(uid);
  }

  /** Why the pod's resize waits, if it does. */
  refusalOf(uid: string): string | undefined {
    return this.#states.get(uid)?.pending?.reason;
  }

  /** What is told of the pod's resizes. */
  conditionsOf(uid: string): ResizeCondition[] {
    const { pending, inProgress } = this.#states.get(uid) ?? {};
    return [pending, inProgress].filter((condition) => condition !== undefined);
  }

  /** How many wait, by reason, and how many are on their way. */
  count(): { pending: Map<string, number>; inProgress: number } {
    const pending = new Map<string, number>();
    let under = 0;
    for (const state of this.#states.values()) {
      const reason = state.pending?.reason;
      if (reason) pending.set(reason, (pending.get(reason) ?? 0) + 1);
      if (state.inProgress) under += 1;
    }
    return { pending, inProgress: under };
  }
}

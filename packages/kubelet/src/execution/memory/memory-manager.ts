import type { Container } from '@wherry/kubeapi';
import type { Counter, Logger } from '@wherry/telemetry';
import type { AssignedPod } from '../../pod/assigned-pod.ts';
import {
  type AllocationRequest,
  type Hint,
  type HintProvider,
  noHints,
  type ResourceHints,
} from '../topology/hints.ts';
import type { MemoryState } from './memory-state.ts';
import type { MemoryBlock } from './memory-table.ts';
import type { StaticMemoryPolicy } from './static-memory-policy.ts';

/** What the manager is made of. */
export interface MemoryManagerOptions {
  /** Undefined where containers get memory wherever the kernel finds it. */
  policy: StaticMemoryPolicy | undefined;
  state: MemoryState;
  requests: Counter;
  errors: Counter;
  logger: Logger;
}

/** Of which memory nodes containers have their memory. */
export class MemoryManager implements HintProvider {
  readonly #options: MemoryManagerOptions;

  constructor(options: MemoryManagerOptions) {
    this.#options = options;
    this.#save();
  }

  /** Whether any container can have memory of certain nodes. */
  get isStatic(): boolean {
    return this.#options.policy !== undefined;
  }

  isAsked(pod: AssignedPod): boolean {
    return this.#options.policy?.isAsked(pod) ?? false;
  }

  hintsOf(pod: AssignedPod, container: Container, request: AllocationRequest): ResourceHints {
    if (this.#isOver(pod, container, request)) return noHints;
    return this.#options.policy?.hintsOf(pod, container) ?? noHints;
  }

  podHintsOf(pod: AssignedPod): ResourceHints {
    return this.#options.policy?.podHintsOf(pod) ?? noHints;
  }

  allocate(pod: AssignedPod, container: Container, from: Hint, request: AllocationRequest): void {
    const { policy, requests, errors } = this.#options;
    if (!policy?.isAsked(pod) || this.#isOver(pod, container, request)) return;
    requests.add(1);
    try {
      if (policy.allocate(pod, container, from)) this.#save();
    } catch (error) {
      errors.add(1);
      throw error;
    }
  }

  /** An init container whose memory was taken back when a later container started: it gets none anew. */
  #isOver(pod: AssignedPod, { name }: Container, request: AllocationRequest): boolean {
    return request.isPast(name) && !this.#options.state.get(pod.metadata.uid, name);
  }

  /** A container is made: init containers before it need their memory no more. */
  started(pod: AssignedPod, container: Container): void {
    if (this.#options.policy?.started(pod, container)) this.#save();
  }

  /** Takes back what pods have that are not kept; answers whether there was anything. */
  keep(isKept: (uid: string) => boolean): boolean {
    const { policy, state } = this.#options;
    const gone = state.holders.filter(({ uid }) => !isKept(uid));
    for (const { uid, container } of gone) policy?.remove(uid, container);
    if (gone.length > 0) this.#save();
    return gone.length > 0;
  }

  /** What a container has. */
  blocksOf(uid: string, container: string): readonly MemoryBlock[] {
    return this.#options.state.get(uid, container) ?? [];
  }

  /** Memory that containers can have, taken or not. */
  get allocatable(): readonly MemoryBlock[] {
    return this.#options.policy?.allocatable ?? [];
  }

  #save(): void {
    const { state, logger } = this.#options;
    try {
      state.save();
    } catch (error) {
      logger.warn('what memory containers have can not be noted; a restart will not know it', { error });
    }
  }
}

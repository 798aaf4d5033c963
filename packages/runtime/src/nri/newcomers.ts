import type { Input } from '@wherry/cri';
import type { ContainerUpdate, Container as SeenContainer, PodSandbox as SeenPod } from '../generated/nri.ts';
import type { PlugIn } from './plug-in.ts';

/** What newcomers are let in with. */
export interface NewcomersOptions {
  /** Runs `work` while nothing changes. */
  alone(work: () => Promise<void>): Promise<void>;
  /** What they are told of. */
  whatThereIs(): Promise<{ pods: Input<SeenPod>[]; containers: Input<SeenContainer>[] }>;
  /** Lists one, and does what it wants of what there is. */
  letIn(add: () => void, updates: ContainerUpdate[]): Promise<void>;
}

interface Newcomer {
  plugIn: PlugIn;
  add(): void;
  received: PromiseWithResolvers<void>;
}

/**
 * Plug-ins that have registered and wait for their turn. Those that wait together are told what there is side by side, so that many that
 * stay silent are waited for no longer than one. What they want of it is done in the order of their indices, as upstream does of the
 * plug-ins that it starts together (nri pkg/adaptation/adaptation.go, startPlugins); those that connect it takes one after the other.
 */
export class Newcomers {
  readonly #options: NewcomersOptions;
  #waiting: Newcomer[] = [];

  constructor(options: NewcomersOptions) {
    this.#options = options;
  }

  /** Resolves when it is in, and what it wanted is done. Rejects when it is not let in. */
  receive(plugIn: PlugIn, add: () => void): Promise<void> {
    const received = Promise.withResolvers<void>();
    this.#waiting.push({ plugIn, add, received });
    if (this.#waiting.length === 1) void this.#options.alone(() => this.#receiveAll(this.#waiting.splice(0)));
    return received.promise;
  }

  async #receiveAll(newcomers: readonly Newcomer[]): Promise<void> {
    const inOrder = newcomers.toSorted(({ plugIn: a }, { plugIn: b }) =>
      a.index < b.index ? -1 : a.index > b.index ? 1 : 0,
    );
    try {
      const { pods, containers } = await this.#options.whatThereIs();
      const told = await Promise.allSettled(
        inOrder.map(async (newcomer) => ({
          newcomer,
          updates: await newcomer.plugIn.synchronize(pods, containers).catch((error: unknown) => {
            newcomer.received.reject(error);
            throw error;
          }),
        })),
      );
      for (const answer of told) {
        if (answer.status === 'rejected') continue;
        const { newcomer, updates } = answer.value;
        const { add, received } = newcomer;
        await this.#options.letIn(add, updates).then(received.resolve, received.reject);
      }
    } catch (error) {
      for (const { received } of inOrder) received.reject(error);
    }
  }
}

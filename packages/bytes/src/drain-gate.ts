import { orAborted } from './abort.ts';
import type { WaitOptions } from './channel.ts';

/** The ones who wait for a queue to fall: let through together, or refused together. */
export class DrainGate {
  #shared: PromiseWithResolvers<void> | undefined;

  /** True while somebody waits. */
  get waiting(): boolean {
    return this.#shared !== undefined;
  }

  /** Waits for {@link release}; rejects with the error of {@link fail} or with `signal.reason`. */
  wait({ signal }: WaitOptions = {}): Promise<void> {
    if (signal?.aborted) return Promise.reject(signal.reason);
    this.#shared ??= Promise.withResolvers<void>();
    const { promise } = this.#shared;
    return orAborted(promise, signal);
  }

  /** Lets everybody through. */
  release(): void {
    this.#take()?.resolve();
  }

  /** Refuses everybody who waits. An error is made only if somebody does: its stack costs more than a small message. */
  fail(makeError: () => Error): void {
    const shared = this.#take();
    if (!shared) return;
    shared.promise.catch(() => {});
    shared.reject(makeError());
  }

  #take(): PromiseWithResolvers<void> | undefined {
    const shared = this.#shared;
    this.#shared = undefined;
    return shared;
  }
}

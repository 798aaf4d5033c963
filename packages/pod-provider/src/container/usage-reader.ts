import { aborted } from '@wherry/bytes';
import { type Clock, deadline } from '@wherry/clock';
import { limits } from '../limits.ts';
import type { ProvidedProcess, ProvidedUsage } from '../provider.ts';

/** What a process took when its provider said so. */
export interface ToldUsage extends ProvidedUsage {
  atNs: bigint;
}

/**
 * What a process takes, as its provider said last: one that is slow to answer, or fails to, keeps nobody's figures back, and none of
 * them falls to nothing meanwhile. It is asked again once it has answered.
 */
export class UsageReader {
  readonly #clock: Clock;
  readonly #nowNs: () => bigint;
  #told: ToldUsage | undefined;
  #asking: Promise<void> | undefined;

  constructor({ clock, nowNs }: { clock: Clock; nowNs: () => bigint }) {
    this.#clock = clock;
    this.#nowNs = nowNs;
  }

  /** Undefined where nobody has ever said. */
  async read(process: ProvidedProcess | undefined): Promise<ToldUsage | undefined> {
    if (!process?.usage) return undefined;
    this.#asking ??= this.#ask(process).finally(() => {
      this.#asking = undefined;
    });
    using limit = deadline({ clock: this.#clock, timeoutMs: limits.usageAnswerMs });
    await Promise.race([this.#asking, aborted(limit.signal)]);
    return this.#told;
  }

  async #ask(process: ProvidedProcess): Promise<void> {
    try {
      const usage = await process.usage?.();
      if (usage) this.#told = { ...usage, atNs: this.#nowNs() };
    } catch {
      // What was told before stands.
    }
  }
}

import { aborted, shownJson } from '@wherry/bytes';
import { type Clock, deadline } from '@wherry/clock';
import type { Logger } from '@wherry/telemetry';
import { limits } from '../limits.ts';
import type { ProvidedProcess, ProvidedUsage } from '../provider.ts';

/** What a process took when its provider said so. */
export interface ToldUsage extends ProvidedUsage {
  atNs: bigint;
}

/** The clock and the log of a reader. */
export interface UsageReaderOptions {
  clock: Clock;
  logger: Logger;
  nowNs(): bigint;
}

/**
 * What a process takes, as its provider said last: one that is slow to answer, or fails to, keeps nobody's figures back, and none of
 * them falls to nothing meanwhile. It is asked again once it has answered.
 */
export class UsageReader {
  readonly #options: UsageReaderOptions;
  #told: ToldUsage | undefined;
  #asking: Promise<void> | undefined;
  #hasComplained = false;

  constructor(options: UsageReaderOptions) {
    this.#options = options;
  }

  /** Undefined where nobody has ever said. */
  async read(process: ProvidedProcess | undefined): Promise<ToldUsage | undefined> {
    if (!process?.usage) return undefined;
    this.#asking ??= this.#ask(process).finally(() => {
      this.#asking = undefined;
    });
    using limit = deadline({ clock: this.#options.clock, timeoutMs: limits.usageAnswerMs });
    await Promise.race([this.#asking, aborted(limit.signal)]);
    return this.#told;
  }

  async #ask(process: ProvidedProcess): Promise<void> {
    try {
      const usage = await process.usage?.();
      if (!usage) return;
      const { cpuNs, memoryBytes } = usage;
      if (isAmount(cpuNs, memoryBytes))
        this.#told = { cpuNs, memoryBytes: Math.round(memoryBytes), atNs: this.#options.nowNs() };
      else this.#complain(cpuNs, memoryBytes);
    } catch {
      // What was told before stands.
    }
  }

  /** Once: it is asked every few seconds. */
  #complain(cpuNs: unknown, memoryBytes: unknown): void {
    if (this.#hasComplained) return;
    this.#hasComplained = true;
    const told = { cpuNs: shown(cpuNs), memoryBytes: shown(memoryBytes) };
    this.#options.logger.warn('a provider tells no figures: want a bigint and a number, 0 or more', told);
  }
}

/** Unsigned integers of 64 bits: what the wire has room for. */
const amountEnd = 2n ** 64n;

function isAmount(cpuNs: unknown, memoryBytes: unknown): boolean {
  if (typeof cpuNs !== 'bigint' || typeof memoryBytes !== 'number') return false;
  return cpuNs >= 0n && cpuNs < amountEnd && memoryBytes >= 0 && memoryBytes < Number(amountEnd);
}

const shown = (value: unknown) => (typeof value === 'bigint' ? `${value}` : shownJson(value));

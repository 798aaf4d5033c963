import { type Clock, sleep } from '@wherry/clock';
import type { Logger } from '@wherry/telemetry';
import { limits, periods } from '../limits.ts';
import { type NodeReading, parseResourcePage } from './resource-page.ts';
import { type NodeUsage, usageBetween } from './usage-rates.ts';

/** What the meter is made of. */
export interface UsageMeterOptions {
  clock: Clock;
  logger: Logger;
  nodeNames(): Iterable<string>;
  /** The text of a node's `/metrics/resource`. */
  fetchPage(nodeName: string, signal: AbortSignal): Promise<string>;
}

/** What every node that could be asked takes, by its name. */
export type ClusterUsage = ReadonlyMap<string, NodeUsage>;

interface Round {
  atMs: number;
  readings: ReadonlyMap<string, NodeReading>;
}

/**
 * Tells what nodes and pods take, as metrics-server does, but asks kubelets only while somebody asks it: rates are over the time
 * since the round before, and after a rest two rounds are made in a row.
 */
export class UsageMeter {
  readonly #options: UsageMeterOptions;
  #last: Round | undefined;
  #usage: { atMs: number; usage: ClusterUsage } | undefined;
  #measuring: Promise<ClusterUsage> | undefined;

  constructor(options: UsageMeterOptions) {
    this.#options = options;
  }

  /** What is taken now; a node that does not answer is missing. */
  read(): Promise<ClusterUsage> {
    const nowMs = this.#options.clock.monotonicMs();
    if (this.#usage && nowMs - this.#usage.atMs < periods.usageAgeMs)
      return Promise.resolve(this.#usage.usage);
    this.#measuring ??= this.#measure().finally(() => {
      this.#measuring = undefined;
    });
    return this.#measuring;
  }

  async #measure(): Promise<ClusterUsage> {
    const { clock } = this.#options;
    const last = this.#last;
    const first = await this.#round();
    let before = last && first.atMs - last.atMs <= periods.usageWindowMsMax ? last : undefined;
    let now = first;
    if (!before) {
      await sleep({ clock, delayMs: periods.firstUsageWindowMs });
      before = first;
      now = await this.#round();
    }
    const usage = new Map<string, NodeUsage>();
    for (const [name, reading] of now.readings) {
      const earlier = before.readings.get(name) ?? { node: undefined, pods: new Map() };
      usage.set(name, usageBetween(earlier, reading));
    }
    this.#last = now;
    this.#usage = { atMs: clock.monotonicMs(), usage };
    return usage;
  }

  async #round(): Promise<Round> {
    const { clock, nodeNames } = this.#options;
    const readings = new Map<string, NodeReading>();
    const waiting = [...nodeNames()];
    const work = async () => {
      for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
        const reading = await this.#reading(name);
        if (reading) readings.set(name, reading);
      }
    };
    await Promise.all(Array.from({ length: limits.usageReadersMax }, work));
    return { atMs: clock.monotonicMs(), readings };
  }

  async #reading(name: string): Promise<NodeReading | undefined> {
    const { clock, logger, fetchPage } = this.#options;
    const patience = new AbortController();
    const timer = clock.after(periods.usagePatienceMs, () =>
      patience.abort(new Error(`the kubelet did not answer within ${periods.usagePatienceMs / 1_000} s`)),
    );
    try {
      return parseResourcePage(await fetchPage(name, patience.signal), clock.nowMs());
    } catch (error) {
      logger.warn('what a node takes could not be read', { node: name, error });
      return undefined;
    } finally {
      timer.cancel();
    }
  }
}

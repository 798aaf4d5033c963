import { type BlockList, isIPv6 } from 'node:net';
import { networkInterfaces } from 'node:os';
import type { Clock } from '@wherry/clock';
import { blockListOf } from '@wherry/linux';
import { limits } from '../limits.ts';

/** Who is answered: pods and the machine itself, so that nobody outside can have answers sent to a third. */
export class Clients {
  readonly #ranges: BlockList;
  readonly #clock: Clock;
  #own: ReadonlySet<string> = new Set();
  #lookedAtMs = Number.NEGATIVE_INFINITY;

  /** Of these ranges, such as `10.88.0.0/24`. Throws on text that is none. */
  constructor(ranges: readonly string[], clock: Clock) {
    this.#ranges = blockListOf(ranges);
    this.#clock = clock;
  }

  isOne(address: string): boolean {
    return this.#ranges.check(address, isIPv6(address) ? 'ipv6' : 'ipv4') || this.#isOwn(address);
  }

  /** The machine's addresses come and go; they are looked up again for one that is not known. */
  #isOwn(address: string): boolean {
    if (this.#own.has(address)) return true;
    const nowMs = this.#clock.monotonicMs();
    if (nowMs - this.#lookedAtMs < limits.ownAddressesPeriodMs) return false;
    this.#lookedAtMs = nowMs;
    const all = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
    this.#own = new Set(all.map((each) => each.address));
    return this.#own.has(address);
  }
}

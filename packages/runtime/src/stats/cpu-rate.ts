import { limits } from '../limits.ts';

interface Sample {
  usageNs: number;
  atNs: bigint;
  nanoCores: number | undefined;
}

const nsPerMs = 1_000_000n;
const nsPerSecond = 1e9;

/** CPU use per second, from two readings of a counter that are not too close together. */
export class CpuRates {
  readonly #samples = new Map<string, Sample>();

  /** Nanoseconds of CPU per second since the reading before; undefined at the first. */
  rate(key: string, usageNs: number, atNs: bigint): number | undefined {
    const before = this.#samples.get(key);
    if (!before) {
      this.#samples.set(key, { usageNs, atNs, nanoCores: undefined });
      return undefined;
    }
    const elapsedNs = atNs - before.atNs;
    if (elapsedNs < BigInt(limits.cpuSampleAgeMs) * nsPerMs && before.nanoCores !== undefined)
      return before.nanoCores;
    if (elapsedNs <= 0n) return before.nanoCores;
    const nanoCores = Math.max(0, Math.round(((usageNs - before.usageNs) / Number(elapsedNs)) * nsPerSecond));
    this.#samples.set(key, { usageNs, atNs, nanoCores });
    return nanoCores;
  }

  /** Forgets a counter that is gone. */
  forget(key: string): void {
    this.#samples.delete(key);
  }
}

import { type Clock, sleep } from '@wherry/clock';
import {
  NodeServiceCapabilityRPCType as Capability,
  VolumeUsageUnit as Unit,
} from '../../../generated/csi.ts';
import { volumeFiguresPatienceMs, volumeFiguresWaitMs, volumeUsageAgeMs } from '../../../limits.ts';
import type { VolumeTimes } from '../volume-times.ts';
import { asked, type CsiDrivers, capabilitiesOf } from './csi-drivers.ts';

/** What a driver says that a volume holds. */
export interface VolumeFigures {
  capacityBytes: number;
  availableBytes: number;
  usedBytes: number;
  inodes: number;
  inodesFree: number;
}

interface Known {
  /** Undefined for a driver that does not say. */
  figures: VolumeFigures | undefined;
  askedMs: number;
  asking: Promise<void> | undefined;
}

/** What drivers say of their volumes, asked at most once a minute for each, and never waited for long. */
export class VolumeUsage {
  readonly #drivers: CsiDrivers;
  readonly #clock: Clock;
  readonly #times: Pick<VolumeTimes, 'measured'> | undefined;
  readonly #known = new Map<string, Known>();
  /** Asks of each driver that are under way, and that nobody waits for any more. */
  readonly #late = new Map<string, number>();

  constructor(options: {
    drivers: CsiDrivers;
    clock: Clock;
    times?: Pick<VolumeTimes, 'measured'> | undefined;
  }) {
    this.#times = options.times;
    this.#drivers = options.drivers;
    this.#clock = options.clock;
  }

  /** The figures of the volume that is published at `volumePath`; a driver that fails leaves those that are known. */
  async of(
    { driver, handle }: { driver: string; handle: string },
    volumePath: string,
  ): Promise<VolumeFigures | undefined> {
    const nowMs = this.#clock.monotonicMs();
    const known = this.#known.get(volumePath) ?? {
      ...{ figures: undefined, askedMs: Number.NEGATIVE_INFINITY, asking: undefined },
    };
    this.#known.set(volumePath, known);
    if (this.#isLate(driver)) return known.figures;
    if (!known.asking && nowMs - known.askedMs >= volumeUsageAgeMs) {
      known.askedMs = nowMs;
      const ask = () => this.#ask(driver, { volumeId: handle, volumePath });
      known.asking = (this.#times?.measured(driver, ask) ?? ask())
        .then(
          (figures) => {
            known.figures = figures;
          },
          () => {},
        )
        .finally(() => {
          known.asking = undefined;
        });
    }
    if (known.asking) await this.#waitFor(driver, known.asking);
    return known.figures;
  }

  #isLate(driver: string): boolean {
    return (this.#late.get(driver) ?? 0) > 0;
  }

  /** Figures of other volumes are not kept waiting by a driver that takes long: nobody waits for it until it has answered. */
  async #waitFor(driver: string, asking: Promise<void>): Promise<void> {
    const patience = new AbortController();
    const late = sleep({
      clock: this.#clock,
      delayMs: volumeFiguresPatienceMs,
      signal: patience.signal,
    }).then(
      () => true,
      () => false,
    );
    const isLate = await Promise.race([asking.then(() => false), late]);
    patience.abort();
    if (!isLate) return;
    this.#late.set(driver, (this.#late.get(driver) ?? 0) + 1);
    void asking.then(() => {
      const others = (this.#late.get(driver) ?? 0) - 1;
      if (others > 0) this.#late.set(driver, others);
      else this.#late.delete(driver);
    });
  }

  forget(volumePath: string): void {
    this.#known.delete(volumePath);
  }

  async #ask(
    driver: string,
    volume: { volumeId: string; volumePath: string },
  ): Promise<VolumeFigures | undefined> {
    const node = this.#drivers.node(driver);
    const timeoutMs = volumeFiguresWaitMs;
    if (!(await capabilitiesOf(node, { timeoutMs })).has(Capability.GET_VOLUME_STATS)) return undefined;
    const { usage } = await asked(() => node.nodeGetVolumeStats(volume, { timeoutMs }));
    const bytes = usage.find(({ unit }) => unit === Unit.BYTES);
    const inodes = usage.find(({ unit }) => unit === Unit.INODES);
    return {
      capacityBytes: amount(bytes?.total),
      availableBytes: amount(bytes?.available),
      usedBytes: amount(bytes?.used),
      inodes: amount(inodes?.total),
      inodesFree: amount(inodes?.available),
    };
  }
}

/** Whoever reads a node's figures takes them for numbers without a sign, and fails over all of them otherwise. */
const amount = (told = 0): number => Math.min(Math.max(told, 0), Number.MAX_SAFE_INTEGER);

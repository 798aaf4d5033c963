import { readFileSync } from 'node:fs';
import type { Clock, Timer } from '@wherry/clock';
import { isAdopted, reap, zombieOf } from '@wherry/linux';
import { limits } from '../limits.ts';

/** Whose children are reaped, and when. */
export interface OrphanSweepOptions {
  clock: Clock;
  /** Children that somebody waits for. */
  kept: () => Iterable<number>;
  /** Children that began at this moment or later, in clock ticks since boot, may be somebody's who does not know them yet. */
  sinceTicks: () => number;
  /** Whether children that began as this process's own are reaped: not where others have children in it too. */
  reapsOwn: boolean;
}

/** Of monitors that share this process, and so its children. */
const sharing = new Set<OrphanSweepOptions>();

/**
 * Reaps ended processes that came to this subreaper and that nobody waits for: what calls of the OCI runtime and containers in the
 * host's PID namespace left behind. It can't wait until no call is under way, since where pods are probed there always is
 * one; and one that ended inside of a container keeps the container's first process from ending.
 */
export class OrphanSweep {
  readonly #options: OrphanSweepOptions;
  /** Whose children these may be. */
  readonly #monitors: Set<OrphanSweepOptions>;
  #soon: Timer | null = null;

  constructor(options: OrphanSweepOptions) {
    this.#options = options;
    this.#monitors = options.reapsOwn ? new Set() : sharing;
    this.#monitors.add(options);
  }

  /** Looks now, and again while there are some that may yet be somebody's. */
  look(): void {
    const monitors = [...this.#monitors];
    const kept = new Set(monitors.flatMap((monitor) => [...monitor.kept()]));
    const sinceTicks = Math.min(...monitors.map((monitor) => monitor.sinceTicks()));
    let isInDoubt = false;
    for (const pid of childrenOfThisProcess()) {
      const zombie = kept.has(pid) ? null : zombieOf(pid);
      if (!zombie || !(this.#options.reapsOwn || isAdopted(pid))) continue;
      if (zombie.startTicks < sinceTicks) reap(pid);
      else isInDoubt = true;
    }
    if (isInDoubt) this.lookSoon();
  }

  /** Looks in a moment: an OCI runtime has just ended. */
  lookSoon(): void {
    this.#soon ??= this.#options.clock.after(limits.orphanLookMs, () => {
      this.#soon = null;
      this.look();
    });
  }

  close(): void {
    this.#soon?.cancel();
    this.#monitors.delete(this.#options);
  }
}

/** Children of the main thread; where the kernel has no list of them, none (they stay zombies until this process ends). */
function childrenOfThisProcess(): number[] {
  try {
    const text = readFileSync(`/proc/self/task/${process.pid}/children`, 'latin1');
    return text
      .split(' ')
      .filter((word) => word !== '')
      .map(Number);
  } catch {
    return [];
  }
}

import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Clock, Timer } from '@wherry/clock';
import { trimAllocator } from '@wherry/linux';
import type { Logger } from '@wherry/telemetry';
import { limits } from '../limits.ts';

/** What is looked at and collected: this process, or a test's. */
export interface QuietSubject {
  /** Share of the time since the last call that the thread was busy, 0 to 1. */
  busyShare(): number;
  residentMebibytes(): number;
  /** Gives back what can be had; the thread does nothing else meanwhile. */
  collect(): void;
}

export interface QuietOptions {
  clock: Clock;
  subject: QuietSubject;
  logger: Logger;
}

/**
 * Collects a part's memory once it is quiet after work. V8 collects when something is allocated, so a part that has
 * nothing to do would keep what its busiest minute took, and the C library keeps the pages of freed buffers. Nothing
 * happens while the part is busy, nor as long as it has not grown since the last time.
 */
export function giveBackWhenQuiet({ clock, subject, logger }: QuietOptions): { stop(): void } {
  let quietLooks = 0;
  let keptMebibytes = 0;
  let timer: Timer;

  const look = () => {
    quietLooks = subject.busyShare() <= limits.quietBusyShareMax ? quietLooks + 1 : 0;
    if (quietLooks >= limits.quietLooks) giveBack();
    timer = clock.after(limits.quietLookMs, look);
  };
  const giveBack = () => {
    quietLooks = 0;
    const before = subject.residentMebibytes();
    if (before < keptMebibytes + limits.quietGrowthMebibytes) return;
    const startedMs = clock.monotonicMs();
    subject.collect();
    keptMebibytes = subject.residentMebibytes();
    const tookMs = Math.round(clock.monotonicMs() - startedMs);
    logger.debug('memory given back', { before, after: keptMebibytes, tookMs });
    // The collection itself was no work.
    subject.busyShare();
  };

  timer = clock.after(limits.quietLookMs, look);
  return { stop: () => timer.cancel() };
}

const bytesPerMebibyte = 1024 ** 2;
let lastUtilization = performance.eventLoopUtilization();

/** This process. */
export const ownProcess: QuietSubject = {
  busyShare() {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, lastUtilization);
    lastUtilization = now;
    return utilization;
  },
  residentMebibytes: () => process.memoryUsage.rss() / bytesPerMebibyte,
  collect() {
    setFlagsFromString('--expose-gc');
    const collectGarbage: NodeJS.GCFunction = runInNewContext('gc');
    collectGarbage({ type: 'major', flavor: 'last-resort', execution: 'sync' });
    trimAllocator();
  },
};

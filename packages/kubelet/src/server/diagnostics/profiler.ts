import { Session } from 'node:inspector/promises';
import { type Clock, sleep } from '@wherry/clock';
import { HttpError } from '../answers.ts';

const micro = 1_000_000;
/** As often as Go's profiler looks. */
const samplesPerSecond = 100;

/** What can be recorded, by the name of its path. */
export type ProfileKind = 'profile' | 'heap';

/**
 * Records what this process does, as V8 sees it: where time goes (`profile`), or who takes memory while it looks (`heap`).
 * Neither holds contents of memory, as a snapshot of the heap would. One at a time, since each slows the process.
 */
export class Profiler {
  readonly #clock: Clock;
  #isBusy = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The profile as JSON, in the form that Chrome's and Node's tools read. Throws when the signal aborts. */
  async record(kind: ProfileKind, delayMs: number, signal: AbortSignal): Promise<string> {
    if (this.#isBusy)
      throw new HttpError(500, 'Could not enable profiling: a profile is being recorded already');
    this.#isBusy = true;
    const session = new Session();
    session.connect();
    try {
      const wait = () => sleep({ clock: this.#clock, delayMs, signal });
      const profile = await (kind === 'heap' ? recordHeap(session, wait) : recordTime(session, wait));
      return JSON.stringify(profile);
    } finally {
      // Ends what the session began.
      session.disconnect();
      this.#isBusy = false;
    }
  }
}

async function recordTime(session: Session, wait: () => Promise<void>): Promise<object> {
  await session.post('Profiler.enable');
  await session.post('Profiler.setSamplingInterval', { interval: micro / samplesPerSecond });
  await session.post('Profiler.start');
  await wait();
  return (await session.post('Profiler.stop')).profile;
}

async function recordHeap(session: Session, wait: () => Promise<void>): Promise<object> {
  await session.post('HeapProfiler.startSampling');
  await wait();
  return (await session.post('HeapProfiler.stopSampling')).profile;
}

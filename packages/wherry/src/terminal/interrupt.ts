import { constants } from 'node:os';
import { systemClock } from '@wherry/clock';
import { CommandError } from '../errors.ts';

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
type Interrupt = (typeof signals)[number];

/** What a shell adds to the number of the signal that ended a program. */
const endedBySignal = 128;

/** One press of Ctrl-C reaches a script of npm twice, from the terminal and from npm, which hands it on. */
const samePressMs = 1_000;

/**
 * Calls `act` at the first SIGINT, SIGTERM or SIGHUP. What comes within a second of it is the same wish; after that another
 * one ends the process at once, but for SIGHUP: who closes the terminal wants no less than he asked for. Returns what stops
 * listening.
 */
export function onInterrupt(act: (name: Interrupt) => void): () => void {
  let firstMs: number | undefined;
  const handle = (name: NodeJS.Signals) => {
    const nowMs = systemClock.monotonicMs();
    if (firstMs === undefined) {
      firstMs = nowMs;
      act(name as Interrupt);
    } else if (nowMs - firstMs >= samePressMs && name !== 'SIGHUP') {
      stop();
      process.kill(process.pid, name);
    }
  };
  const stop = () => {
    for (const name of signals) process.off(name, handle);
  };
  for (const name of signals) process.on(name, handle);
  return stop;
}

/**
 * Runs `work` with a signal that Ctrl-C, SIGTERM or SIGHUP aborts, for work that has to clean up. Then it throws `CommandError`
 * with a shell's exit code for that signal (130 for Ctrl-C). A second Ctrl-C, a second later or more, ends the process at once.
 */
export async function interruptible<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const aborting = new AbortController();
  const stop = onInterrupt((name) => {
    const exitCode = endedBySignal + constants.signals[name];
    aborting.abort(new CommandError('interrupted', { exitCode }));
  });
  try {
    return await work(aborting.signal);
  } catch (error) {
    throw aborting.signal.aborted ? aborting.signal.reason : error;
  } finally {
    stop();
  }
}

import { constants } from 'node:os';
import { CommandError } from '../errors.ts';

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
/** What a shell adds to the number of the signal that ended a program. */
const endedBySignal = 128;

/**
 * Runs `work` with a signal that Ctrl-C, SIGTERM or SIGHUP aborts, for work that has to clean up. Then it throws `CommandError`
 * with a shell's exit code for that signal (130 for Ctrl-C). A second one ends the process at once.
 */
export async function interruptible<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const aborting = new AbortController();
  const handlers = signals.map((name) => {
    const exitCode = endedBySignal + constants.signals[name];
    return [name, () => aborting.abort(new CommandError('interrupted', { exitCode }))] as const;
  });
  for (const [name, handler] of handlers) process.once(name, handler);
  try {
    return await work(aborting.signal);
  } catch (error) {
    throw aborting.signal.aborted ? aborting.signal.reason : error;
  } finally {
    for (const [name, handler] of handlers) process.off(name, handler);
  }
}

import { systemClock } from '@wherry/clock';
import { createLogger, type Logger } from '@wherry/telemetry';
import { logFileVariable } from '../layout/log-file.ts';
import { LogOutput } from './log-output.ts';
import { giveBackWhenQuiet, ownProcess } from './quiet-memory.ts';

/** The flag that every part has. */
export interface Verbosity {
  /** As Kubernetes components have it: 4 and above is debug. */
  v: number;
}

const debugVerbosity = 4;

/** The logger of a long-running part at `-v LEVEL`, or at what a function says from line to line. */
export function roleLogger(component: string, verbosity: number | (() => number)): Logger {
  const now = typeof verbosity === 'function' ? verbosity : () => verbosity;
  const output = new LogOutput(component, { path: process.env[logFileVariable] });
  return createLogger(component, {
    level: () => (now() >= debugVerbosity ? 'debug' : 'info'),
    write: (line) => output.write(line),
  });
}

/**
 * A rejection that nobody caught is told in the log, and the process goes on: what it belonged to has failed, and
 * nothing else has. Without this Node ends the process. Errors that are thrown outside of promises still end it.
 */
export function surviveRejections(logger: Logger): void {
  process.on('unhandledRejection', (error) => {
    const stack = error instanceof Error ? error.stack : undefined;
    logger.error('a rejection was caught by nobody', { error, stack });
  });
}

/**
 * Waits for SIGTERM, Ctrl-C or another reason to end (who has one may set `process.exitCode`), then closes in the given order. A second signal ends the process at once.
 * Until then the part gives back memory when it is quiet.
 */
export async function runUntilSignal(
  logger: Logger,
  close: () => Promise<void> | void,
  otherReason?: Promise<string>,
): Promise<void> {
  surviveRejections(logger);
  // Who else writes there, and cannot, ends nothing either.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
  const quiet = giveBackWhenQuiet({ clock: systemClock, subject: ownProcess, logger });
  const signalled = new Promise<string>((resolve) => {
    for (const name of ['SIGTERM', 'SIGINT'] as const) process.once(name, () => resolve(name));
  });
  const reason = await (otherReason ? Promise.race([signalled, otherReason]) : signalled);
  quiet.stop();
  logger.info('ending', { reason });
  await close();
  // What is still open after an orderly close (a log being followed) must not keep the process.
  process.exit();
}

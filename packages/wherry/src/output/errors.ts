import { CommandError } from '../errors.ts';

/** Prints a failure as kubectl would: the server's own with its reason, the rest after `error: `. */
export function printError(error: unknown): void {
  if (error instanceof CommandError && error.message === '') return;
  console.error(describe(error));
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return `error: ${String(error)}`;
  if (error.name === 'StatusError' && 'reason' in error) {
    return `Error from server (${String(error.reason)}): ${error.message}`;
  }
  if (error.name === 'ClientError' && 'code' in error && error.code === 'unreachable') return error.message;
  const isExpected = ['CommandError', 'ClientError', 'UpgradeError', 'CriError'].includes(error.name);
  return isExpected ? `error: ${error.message}` : `error: ${error.stack ?? error.message}`;
}

/** The exit code that a failure stands for; 1 unless it names its own. */
export function exitCodeOf(error: unknown): number {
  return error instanceof CommandError ? error.exitCode : 1;
}

import { CommandError } from '../errors.ts';

/** Prints a failure as kubectl would: the server's own with its reason, the rest after `error: `. */
export function printError(error: unknown): void {
  if (error instanceof CommandError && error.message === '') return;
  console.error(describe(error));
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return `error: ${String(error)}`;
  if (error.name === 'StatusError' && 'reason' in error) return describeStatus(error.message, error.reason);
  if (error.name === 'ClientError' && 'code' in error) {
    if (error.code === 'unreachable') return error.message;
    if (error.code === 'no-credentials') return `Unable to connect to the server: ${error.message}`;
  }
  const isExpected = ['CommandError', 'ClientError', 'UpgradeError', 'CriError'].includes(error.name);
  return isExpected ? `error: ${error.message}` : `error: ${error.stack ?? error.message}`;
}

function describeStatus(message: string, reason: unknown): string {
  if (reason === 'Unauthorized') return `error: You must be logged in to the server (${message})`;
  return reason ? `Error from server (${String(reason)}): ${message}` : `Error from server: ${message}`;
}

/** The exit code that a failure stands for; 1 unless it names its own. */
export function exitCodeOf(error: unknown): number {
  return error instanceof CommandError ? error.exitCode : 1;
}

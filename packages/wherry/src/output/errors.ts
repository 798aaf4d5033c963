import { shownJson } from '@wherry/bytes';
import type { StatusError } from '@wherry/kubeapi';
import { CommandError, SeveralProblems } from '../errors.ts';
import { harmless } from '../words/harmless.ts';
import { paint } from './colours.ts';
import { describeUnreachable } from './unreachable.ts';

/** Prints a failure as kubectl would: the server's own with its reason, the rest after `error: `. Nothing where nobody reads on (`| head`). */
export function printError(error: unknown): void {
  if (error instanceof CommandError && error.message === '') return;
  if (error instanceof Error && isSystemError(error) && error.code === 'EPIPE' && error.syscall === 'write')
    return;
  console.error(
    harmless(describeError(error))
      .replace(/\n$/, '')
      .replace(/^error\b[^:\n]*:/i, (word) => paint(word, 'bad', process.stderr)),
  );
}

/** One line about a failure; a stack only for what is a defect of ours. */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return `error: ${String(error)}`;
  if (error instanceof SeveralProblems && error.problems.length > 1) return error.problems.join('\n');
  if (error.name === 'StatusError' && 'reason' in error) {
    if (error.reason === 'Invalid') return describeInvalid(error as StatusError);
    return describeStatus(error.message, error.reason);
  }
  if (error.name === 'ClientError' && 'code' in error) {
    if (error.code === 'unreachable') return describeUnreachable(error);
    if (error.code === 'bad-config' && error.message.startsWith('no kubeconfig at')) {
      return `error: ${error.message}; for the node of this machine "sudo wherry kubeconfig --merge" writes one`;
    }
    if (error.code === 'no-credentials') return `Unable to connect to the server: ${error.message}`;
  }
  if (isSystemError(error)) return `error: ${describeSystemError(error)}`;
  return isOurMistake(error)
    ? `error: this is a defect of wherry, please report it: ${error.stack ?? error.message}`
    : withPrefix(error.message);
}

/** Errors that the language throws, and assertions: nobody at the keyboard can cause or mend them. */
const mistakes = new Set([
  'Error',
  'TypeError',
  'RangeError',
  'ReferenceError',
  'SyntaxError',
  'AssertionError',
]);

const isOurMistake = (error: Error) => mistakes.has(error.name) && !('code' in error);

interface SystemError extends Error {
  code: string;
  syscall: string;
  path?: string;
}

const isSystemError = (error: Error): error is SystemError =>
  'syscall' in error && 'code' in error && typeof error.code === 'string';

const systemWords = new Map([
  ['ENOENT', 'no such file or folder'],
  ['EACCES', 'permission denied; most of a node belongs to root: run it with sudo'],
  ['EPERM', 'not permitted; run it with sudo'],
  ['ENOSPC', 'no space left on the device'],
  ['EISDIR', 'is a folder'],
  ['ENOTDIR', 'a part of the path is no folder'],
]);

function describeSystemError({ code, syscall, path, message }: SystemError): string {
  const words = systemWords.get(code);
  return words === undefined ? message : `${path === undefined ? syscall : `"${path}"`}: ${words}`;
}

/** Messages that say themselves whose error they are get no second `error: `. */
const withPrefix = (message: string) => (/^error\b(?! when )/i.test(message) ? message : `error: ${message}`);

/** Each cause once; as kubectl prints it, several on lines of their own. */
function describeInvalid({ message, status: { details = {} }, causes }: StatusError): string {
  const { kind = '', name = '' } = details;
  const isNamed = kind !== '' || name !== '';
  const what = isNamed ? `The ${kind} ${JSON.stringify(name)} is invalid` : 'The request is invalid';
  const told = [...new Set(causes.map(({ field = '', message: why = '' }) => `${field}: ${why}`))];
  if (told.length > 1) return [`${what}: `, ...told.map((cause) => `* ${cause}`)].join('\n');
  const [only] = told;
  if (only !== undefined) return `${what}: ${only}`;
  return isNamed || message === '' ? what : `${what}: ${message}`;
}

/** What a server refused, with its reason. */
export function describeStatus(message: string, reason: unknown): string {
  if (reason === 'Unauthorized') return `error: You must be logged in to the server (${message})`;
  const why = reason && reason !== 'Unknown' ? ` (${shownJson(reason)})` : '';
  return `Error from server${why}: ${message}`;
}

/** The exit code that a failure stands for; 1 unless it names its own. */
export function exitCodeOf(error: unknown): number {
  return error instanceof CommandError ? error.exitCode : 1;
}

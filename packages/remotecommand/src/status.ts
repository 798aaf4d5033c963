import { RemoteCommandError } from './errors.ts';
import { hasStatus, protocols } from './protocols.ts';
import type { CommandOutcome } from './session.ts';

/**
 * Who writes a Status: the runtime's streaming server (k8s.io/cri-streaming) or the translator of the API server and
 * kubelet (k8s.io/apiserver, pkg/util/proxy). They differ in texts and in an empty `metadata`.
 */
export type StatusAuthor = 'runtime' | 'translator';

const utf8 = new TextEncoder();

function exitText(author: StatusAuthor, exitCode: number, message: string | undefined): string {
  if (author === 'translator') return `command terminated with exit code ${exitCode}`;
  return `command terminated with non-zero exit code: ${message ?? `exit code ${exitCode}`}`;
}

/** What goes onto the error stream for an outcome; empty when the protocol says nothing on success. */
export function encodeStatus(outcome: CommandOutcome, protocol: string, author: StatusAuthor): Uint8Array {
  const status = toStatus(outcome, author);
  if (hasStatus(protocol)) return utf8.encode(JSON.stringify(status));
  return utf8.encode(status.status === 'Success' ? '' : (status.message ?? ''));
}

interface Status {
  metadata?: object;
  status: 'Success' | 'Failure';
  message?: string;
  reason?: string;
  details?: { causes: { reason?: string; message: string }[] };
  code?: number;
}

/** Keys in the order in which Go writes them. */
function toStatus(outcome: CommandOutcome, author: StatusAuthor): Status {
  const metadata = author === 'translator' ? { metadata: {} } : {};
  if (outcome.kind === 'failed') {
    const causes = author === 'translator' ? { details: { causes: [{ message: outcome.message }] } } : {};
    const message = `Internal error occurred: ${outcome.message}`;
    return { ...metadata, status: 'Failure', message, reason: 'InternalError', ...causes, code: 500 };
  }
  if (outcome.exitCode === 0) return { ...metadata, status: 'Success' };
  return {
    ...metadata,
    status: 'Failure',
    message: exitText(author, outcome.exitCode, outcome.message),
    reason: 'NonZeroExitCode',
    details: { causes: [{ reason: 'ExitCode', message: String(outcome.exitCode) }] },
  };
}

/**
 * The exit code that an error stream's whole content stands for. Throws {@link RemoteCommandError}: `failure` with the
 * other side's text, `badStatus`, or `missingStatus` when a Status was due and nothing came.
 */
export function decodeExitCode(content: Uint8Array, protocol: string): number {
  const text = new TextDecoder().decode(content);
  if (hasStatus(protocol)) return exitCodeOfStatus(text);
  if (text === '') return 0;
  const prefix = protocol === protocols.v1 || protocol === '' ? 'Error' : 'error';
  throw new RemoteCommandError('failure', `${prefix} executing remote command: ${text}`);
}

function exitCodeOfStatus(text: string): number {
  if (text === '') {
    throw new RemoteCommandError(
      'missingStatus',
      'the session ended without a status: its output may be incomplete',
    );
  }
  const status = parseStatus(text);
  if (status.status === 'Success') return 0;
  if (status.status !== 'Failure') throw badStatus('unknown error');
  if (status.reason !== 'NonZeroExitCode')
    throw new RemoteCommandError('failure', String(status.message ?? ''));
  if (!status.details) throw badStatus('details must be set');
  const cause = causesOf(status.details).find(({ reason }) => reason === 'ExitCode');
  if (!cause) throw badStatus('no ExitCode cause given');
  return parseExitCode(String(cause.message ?? ''));
}

interface LooseStatus {
  status?: unknown;
  message?: unknown;
  reason?: unknown;
  details?: unknown;
}

function parseStatus(text: string): LooseStatus {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null) return value;
    throw new Error('not an object');
  } catch (error) {
    throw badStatus(`${(error as Error).message} in ${JSON.stringify(text)}`);
  }
}

function causesOf(details: unknown): { reason?: unknown; message?: unknown }[] {
  const causes = (details as { causes?: unknown }).causes;
  return Array.isArray(causes) ? causes.filter((cause) => typeof cause === 'object' && cause !== null) : [];
}

/** An exit code is an unsigned byte. */
function parseExitCode(text: string): number {
  const code = /^\d{1,3}$/.test(text) ? Number(text) : Number.NaN;
  if (!(code <= 255)) throw badStatus(`invalid exit code value ${JSON.stringify(text)}`);
  return code;
}

const badStatus = (text: string) =>
  new RemoteCommandError('badStatus', `error stream protocol error: ${text}`);

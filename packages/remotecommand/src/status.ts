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
  const { status, reason, message, causes } = parseStatus(text);
  if (status === 'Success') return 0;
  if (status !== 'Failure') throw badStatus('unknown error');
  if (reason !== 'NonZeroExitCode') throw new RemoteCommandError('failure', message);
  if (!causes) throw badStatus('details must be set');
  const cause = causes.find((one) => one.reason === 'ExitCode');
  if (!cause) throw badStatus('no ExitCode cause given');
  return parseExitCode(cause.message);
}

/** What counts of a Status; a text that is absent is empty. */
interface ReadStatus {
  status: string;
  reason: string;
  message: string;
  /** undefined without details. */
  causes: { reason: string; message: string }[] | undefined;
}

/** A Status that has a field of another type than Kubernetes' is none, as in Go. */
function parseStatus(json: string): ReadStatus {
  try {
    const status = fieldsOf(JSON.parse(json), 'the whole');
    const details = status.get('details') ?? undefined;
    return {
      status: textIn(status, 'status'),
      reason: textIn(status, 'reason'),
      message: textIn(status, 'message'),
      causes: details === undefined ? undefined : causesIn(fieldsOf(details, '"details"')),
    };
  } catch (error) {
    throw badStatus(`${(error as Error).message} in ${JSON.stringify(json)}`);
  }
}

type Fields = ReadonlyMap<string, unknown>;

function fieldsOf(value: unknown, what: string): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new TypeError(`${what} is no object`);
  return new Map<string, unknown>(Object.entries(value));
}

/** An own field; what another type has never becomes a text, since an object may say how it becomes one. */
function textIn(fields: Fields, name: string): string {
  const value = fields.get(name) ?? '';
  if (typeof value !== 'string') throw new TypeError(`"${name}" is no text`);
  return value;
}

function causesIn(details: Fields): { reason: string; message: string }[] {
  const causes = details.get('causes') ?? [];
  if (!Array.isArray(causes)) throw new TypeError('"causes" is no list');
  return causes.map((cause: unknown) => {
    const fields = fieldsOf(cause ?? {}, 'a cause');
    return { reason: textIn(fields, 'reason'), message: textIn(fields, 'message') };
  });
}

/** An exit code is an unsigned byte. */
function parseExitCode(text: string): number {
  const code = /^\d{1,3}$/.test(text) ? Number(text) : Number.NaN;
  if (!(code <= 255)) throw badStatus(`invalid exit code value ${JSON.stringify(text)}`);
  return code;
}

const badStatus = (text: string) =>
  new RemoteCommandError('badStatus', `error stream protocol error: ${text}`);

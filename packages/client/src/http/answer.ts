import {
  fromStatus,
  parseExactJson,
  type Status,
  StatusError,
  type StatusReason,
} from '@wherry/kubeapi/objects';
import { ClientError } from '../errors.ts';
import { limits } from '../limits.ts';
import { readBody, readStart } from './body.ts';
import type { HttpAnswer, HttpRequest } from './door.ts';

const reasons: ReadonlyMap<number, StatusReason> = new Map([
  [400, 'BadRequest'],
  [401, 'Unauthorized'],
  [403, 'Forbidden'],
  [404, 'NotFound'],
  [405, 'MethodNotAllowed'],
  [406, 'NotAcceptable'],
  [409, 'Conflict'],
  [410, 'Gone'],
  [413, 'RequestEntityTooLarge'],
  [415, 'UnsupportedMediaType'],
  [422, 'Invalid'],
  [429, 'TooManyRequests'],
  [500, 'InternalError'],
  [503, 'ServiceUnavailable'],
  [504, 'Timeout'],
]);

const text = new TextDecoder();

type Asked = Pick<HttpRequest, 'method' | 'path'>;

/**
 * Reads a JSON answer, of less than 300. One without a body is undefined where nothing need be said: 204, and a deletion. Throws
 * `ClientError` on what is not JSON.
 */
export async function readAnswer(
  answer: HttpAnswer,
  { method }: Pick<HttpRequest, 'method'>,
): Promise<unknown> {
  const body = await readBody(answer, limits.responseBytesMax);
  if (body.byteLength === 0 && (answer.status === 204 || method === 'DELETE')) return undefined;
  return parseJson(body);
}

/** Parses JSON bytes. Throws `ClientError` `bad-answer`. */
export function parseJson(body: Uint8Array): unknown {
  try {
    return parseExactJson(text.decode(body));
  } catch (error) {
    throw new ClientError('bad-answer', `the answer is not JSON: ${(error as Error).message}`, {
      cause: error,
    });
  }
}

/**
 * The error that an answer of 300 and above stands for; a body that is no `Status` becomes its message, and where it redirects
 * to is told, since nobody follows.
 */
export async function statusErrorOf(answer: HttpAnswer, request: Asked): Promise<StatusError> {
  const code = answer.status;
  const location = code < 400 ? answer.header('location') : undefined;
  const body = text.decode(await readStart(answer, limits.errorBodyBytesMax));
  if (location)
    return plainStatusError(code, `the server answered ${code} and redirects to ${location}`, request);
  const status = parseStatus(body);
  return status
    ? fromStatus({ ...status, code: status.code ?? code })
    : plainStatusError(code, body, request);
}

/** The `Status` that a body holds, if it is one. */
export function parseStatus(body: string): Status | undefined {
  try {
    const value: unknown = JSON.parse(body);
    const isStatus =
      typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'Status';
    return isStatus ? (value as Status) : undefined;
  } catch {
    return undefined;
  }
}

function plainStatusError(code: number, body: string, { method, path }: Asked): StatusError {
  // What API servers answer where nothing is served, as of a kind whose definition has gone.
  const isNowhere = code === 404 && /^(404 page not found)?$/.test(body.trim());
  const said = body.trim().slice(0, limits.messageCharactersMax);
  const message = isNowhere
    ? `the server could not find the requested resource (${method} ${path.replace(/\?.*/s, '')})`
    : said || `the server answered ${code} without a message`;
  return new StatusError({
    code,
    reason: reasonOf(code, method),
    message,
    details: { causes: [{ reason: 'UnexpectedServerResponse', message: said }] },
  });
}

function reasonOf(code: number, method: string): StatusReason {
  if (code === 409 && method === 'POST') return 'AlreadyExists';
  return reasons.get(code) ?? (code > 500 ? 'InternalError' : 'Unknown');
}

import { fromStatus, type Status, StatusError, type StatusReason } from '@wherry/kubeapi/objects';
import { ClientError } from '../errors.ts';
import { limits } from '../limits.ts';
import { readBody } from './body.ts';
import type { HttpAnswer } from './door.ts';

const reasons: ReadonlyMap<number, StatusReason> = new Map([
  [400, 'BadRequest'],
  [401, 'Unauthorized'],
  [403, 'Forbidden'],
  [404, 'NotFound'],
  [405, 'MethodNotAllowed'],
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

/** Reads a JSON answer. Throws `StatusError` on a status of 400 and above, `ClientError` on what is not JSON. */
export async function readAnswer(answer: HttpAnswer): Promise<unknown> {
  if (answer.status >= 400) throw await statusErrorOf(answer);
  return parseJson(await readBody(answer, limits.responseBytesMax));
}

/** Parses JSON bytes. Throws `ClientError` `bad-answer`. */
export function parseJson(body: Uint8Array): unknown {
  try {
    return JSON.parse(text.decode(body));
  } catch (error) {
    throw new ClientError('bad-answer', `the answer is not JSON: ${(error as Error).message}`, {
      cause: error,
    });
  }
}

/** The error that an answer of 400 and above stands for; a body that is no `Status` becomes its message. */
export async function statusErrorOf(answer: HttpAnswer): Promise<StatusError> {
  const code = answer.status;
  const body = text.decode(await readBody(answer, limits.errorBodyBytesMax));
  const status = parseStatus(body);
  return status ? fromStatus({ ...status, code: status.code ?? code }) : plainStatusError(code, body);
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

function plainStatusError(code: number, body: string): StatusError {
  return new StatusError({
    code,
    reason: reasons.get(code) ?? 'Unknown',
    message: body.trim() || `the server answered ${code} without a message`,
    details: { causes: [{ reason: 'UnexpectedServerResponse', message: body.trim() }] },
  });
}

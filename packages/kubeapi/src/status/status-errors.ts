/** One constructor per failure, with upstream's code, reason, message and details (apimachinery pkg/api/errors). */

import type { StatusDetails } from '../generated/types.ts';
import { fieldErrorsMax } from '../limits.ts';
import { qualifiedResource } from '../schema/resources.ts';
import { type FieldError, joinFieldErrors } from './field-error.ts';
import { type ResourceRef, type StatusCause, StatusError } from './status-error.ts';

const detailsOf = ({ group, resource }: ResourceRef, name?: string): StatusDetails => ({
  ...(name ? { name } : {}),
  ...(group ? { group } : {}),
  ...(resource ? { kind: resource } : {}),
});
const titleOf = ({ group, resource }: ResourceRef) => qualifiedResource(group, resource);
const quoted = (text: string) => JSON.stringify(text);

/** 404: `pods "x" not found`. */
export function notFound(ref: ResourceRef, name: string): StatusError {
  const message = `${titleOf(ref)} ${quoted(name)} not found`;
  return new StatusError({ code: 404, reason: 'NotFound', message, details: detailsOf(ref, name) });
}

/** 404 for a path that leads nowhere: an unknown group, version or resource; `why` is added where there is more to say. */
export function pathNotFound(why = ''): StatusError {
  const sentence = 'the server could not find the requested resource';
  const message = why === '' ? sentence : `${sentence}: ${why}`;
  return new StatusError({ code: 404, reason: 'NotFound', message });
}

/** 409: `pods "x" already exists`. */
export function alreadyExists(ref: ResourceRef, name: string): StatusError {
  const message = `${titleOf(ref)} ${quoted(name)} already exists`;
  return new StatusError({ code: 409, reason: 'AlreadyExists', message, details: detailsOf(ref, name) });
}

/** 409 after generateName's tries were all taken. */
export function generateNameConflict(ref: ResourceRef, name: string, retryAfterSeconds = 1): StatusError {
  const message = `${titleOf(ref)} ${quoted(name)} already exists, the server was not able to generate a unique name for the object`;
  const details = { ...detailsOf(ref, name), retryAfterSeconds };
  return new StatusError({ code: 409, reason: 'AlreadyExists', message, details });
}

/** 401. */
export function unauthorized(message = 'Unauthorized'): StatusError {
  return new StatusError({ code: 401, reason: 'Unauthorized', message });
}

/** 403: `pods "x" is forbidden: REASON`; without a name `pods is forbidden: REASON`. */
export function forbidden(ref: ResourceRef, name: string, why: string): StatusError {
  const subject = name === '' ? titleOf(ref) : `${titleOf(ref)} ${quoted(name)}`;
  const message = ref.resource === '' ? `forbidden: ${why}` : `${subject} is forbidden: ${why}`;
  return new StatusError({ code: 403, reason: 'Forbidden', message, details: detailsOf(ref, name) });
}

/** 409: `Operation cannot be fulfilled on pods "x": REASON`. */
export function conflict(ref: ResourceRef, name: string, why: string): StatusError {
  const message = `Operation cannot be fulfilled on ${titleOf(ref)} ${quoted(name)}: ${why}`;
  return new StatusError({ code: 409, reason: 'Conflict', message, details: detailsOf(ref, name) });
}

/** 409 with upstream's sentence for a resourceVersion that is no longer current. */
export function staleResourceVersion(ref: ResourceRef, name: string): StatusError {
  const why = 'the object has been modified; please apply your changes to the latest version and try again';
  return conflict(ref, name, why);
}

/** 409 of server-side apply; each cause names a field and who manages it. */
export function applyConflict(causes: StatusCause[], message: string): StatusError {
  return new StatusError({ code: 409, reason: 'Conflict', message, details: { causes } });
}

/** 410 with reason Expired: a resourceVersion or continue token that is too old. */
export function expired(message: string): StatusError {
  return new StatusError({ code: 410, reason: 'Expired', message });
}

/** 410 with reason Gone. */
export function gone(message: string): StatusError {
  return new StatusError({ code: 410, reason: 'Gone', message });
}

/** 422 with one cause per field error, up to `fieldErrorsMax`. `group` and `kind` are of the object, not of the resource. */
export function invalid(
  ref: { group: string; kind: string },
  name: string,
  errors: FieldError[],
): StatusError {
  const subject = `${qualifiedResource(ref.group, ref.kind)} ${quoted(name)} is invalid`;
  const told = errors.slice(0, fieldErrorsMax);
  const rest = errors.length > told.length ? ` and ${errors.length - told.length} more` : '';
  const message = errors.length === 0 ? subject : `${subject}: ${joinFieldErrors(told)}${rest}`;
  const causes = told.map((error) => ({ reason: error.type, message: error.body, field: error.field }));
  const details = { ...detailsOf({ group: ref.group, resource: ref.kind }, name), causes };
  return new StatusError({ code: 422, reason: 'Invalid', message, details });
}

/** 400. */
export function badRequest(message: string, cause?: unknown): StatusError {
  return new StatusError({ code: 400, reason: 'BadRequest', message, cause });
}

/** 405: `delete is not supported on resources of kind "pods"`. */
export function methodNotSupported(ref: ResourceRef, action: string): StatusError {
  const message = `${action} is not supported on resources of kind ${quoted(titleOf(ref))}`;
  return new StatusError({ code: 405, reason: 'MethodNotAllowed', message, details: detailsOf(ref) });
}

/** 406. */
export function notAcceptable(accepted: readonly string[]): StatusError {
  const message = `only the following media types are accepted: ${accepted.join(', ')}`;
  return new StatusError({ code: 406, reason: 'NotAcceptable', message });
}

/** 415. */
export function unsupportedMediaType(accepted: readonly string[]): StatusError {
  const message = `the body of the request was in an unknown format - accepted media types include: ${accepted.join(', ')}`;
  return new StatusError({ code: 415, reason: 'UnsupportedMediaType', message });
}

/** 413: `Request entity too large: limit is 3145728`. */
export function requestEntityTooLarge(why: string): StatusError {
  const message = `Request entity too large: ${why}`;
  return new StatusError({ code: 413, reason: 'RequestEntityTooLarge', message });
}

/** 429; the server also sends Retry-After. */
export function tooManyRequests(message: string, retryAfterSeconds = 1): StatusError {
  const details = retryAfterSeconds > 0 ? { retryAfterSeconds } : {};
  return new StatusError({ code: 429, reason: 'TooManyRequests', message, details });
}

/** 500 with reason ServerTimeout: the client may try again. */
export function serverTimeout(ref: ResourceRef, operation: string, retryAfterSeconds = 1): StatusError {
  const message = `The ${operation} operation against ${titleOf(ref)} could not be completed at this time, please try again.`;
  const details = { ...detailsOf(ref, operation), retryAfterSeconds };
  return new StatusError({ code: 500, reason: 'ServerTimeout', message, details });
}

/** 504: the operation may still complete. */
export function timedOut(why: string, retryAfterSeconds = 0): StatusError {
  const details = retryAfterSeconds > 0 ? { retryAfterSeconds } : {};
  return new StatusError({ code: 504, reason: 'Timeout', message: `Timeout: ${why}`, details });
}

/** 503. */
export function serviceUnavailable(message: string): StatusError {
  return new StatusError({ code: 503, reason: 'ServiceUnavailable', message });
}

/** 500; the error's message is the one cause. */
export function internalError(error: unknown): StatusError {
  const text = error instanceof Error ? error.message : String(error);
  const details = { causes: [{ message: text }] };
  const message = `Internal error occurred: ${text}`;
  return new StatusError({ code: 500, reason: 'InternalError', message, details, cause: error });
}

/** Any thrown value as a StatusError: itself, or an internal error around it. */
export function toStatusError(error: unknown): StatusError {
  return error instanceof StatusError ? error : internalError(error);
}

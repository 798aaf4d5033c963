import { StatusError, type StatusReason } from '@wherry/kubeapi/objects';

const reasons: ReadonlyMap<number, StatusReason> = new Map([
  [400, 'BadRequest'],
  [401, 'Unauthorized'],
  [403, 'Forbidden'],
  [404, 'NotFound'],
  [405, 'MethodNotAllowed'],
  [429, 'TooManyRequests'],
]);

/** What the console itself refuses, in the form of the API's own refusals; the message says what to do instead. */
export function refusal(code: 400 | 401 | 403 | 404 | 405 | 429, message: string): StatusError {
  return new StatusError({ code, reason: reasons.get(code) ?? 'Unknown', message: `console: ${message}` });
}

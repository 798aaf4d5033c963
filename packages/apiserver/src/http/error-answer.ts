import { internalError, type Status, StatusError } from '@wherry/kubeapi';
import type { HttpAnswer } from '@wherry/upgrade';

/** A Status as the answer to an upgrade that this server refuses or could not pass on. */
export function statusAnswer(status: Status): HttpAnswer {
  return {
    statusCode: status.code ?? 500,
    headers: [['Content-Type', 'application/json']],
    body: `${JSON.stringify(status)}\n`,
  };
}

/** The same from a code and a text of the proxy. */
export function errorAnswer(statusCode: number, message: string): HttpAnswer {
  if (statusCode === 500) return statusAnswer(internalError(new Error(message)).status);
  return statusAnswer(new StatusError({ code: statusCode, reason: 'Unknown', message }).status);
}

import { StatusError } from '@wherry/kubeapi';

/** What is done to the object of a file. */
export type Doing = 'creating' | 'deleting' | 'replacing';

/** Said in front of what goes wrong with an object of a file. */
export const failedAt = (doing: Doing, source: string): string =>
  `error when ${doing} ${JSON.stringify(source)}: `;

/** What a server refuses, with the file that it was about in front. */
export function withSource(error: unknown, doing: Doing, source: string): unknown {
  if (!(error instanceof StatusError)) return error;
  const { code, reason, status } = error;
  const message = `${failedAt(doing, source)}${error.message}`;
  return new StatusError({ code, reason, details: status.details, message, cause: error });
}

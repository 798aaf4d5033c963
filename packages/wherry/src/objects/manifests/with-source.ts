import { StatusError } from '@wherry/kubeapi';
import { CommandError } from '../../errors.ts';

/** What is done to the object of a file. */
export type Doing = 'creating' | 'deleting' | 'patching' | 'replacing';

/** Said in front of what goes wrong with an object of a file. */
export const failedAt = (doing: Doing, source: string): string =>
  `error when ${doing} ${JSON.stringify(source)}: `;

/** What a server refuses, and what goes wrong here, with the file that it was about in front. */
export const withSource = (error: unknown, doing: Doing, source: string): unknown =>
  withPrefix(error, failedAt(doing, source));

/** The same, behind other words. */
export function withPrefix(error: unknown, prefix: string): unknown {
  if (error instanceof CommandError) return new CommandError(`${prefix}${error.message}`, { cause: error });
  if (!(error instanceof StatusError)) return error;
  const { code, reason, status } = error;
  const message = `${prefix}${error.message}`;
  return new StatusError({ code, reason, details: status.details, message, cause: error });
}

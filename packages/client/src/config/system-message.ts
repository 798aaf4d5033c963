import { getSystemErrorMessage } from 'node:util';

/** What the system said, in its words (`no such file or directory`), without Node's frame around it. */
export function systemMessage(error: unknown): string {
  const { errno, message } = error as NodeJS.ErrnoException;
  return typeof errno === 'number' && errno < 0 ? getSystemErrorMessage(errno) : message;
}

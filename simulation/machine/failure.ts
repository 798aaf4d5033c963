import { constants } from 'node:os';

/** An error as Node's `fs` throws it; without a stack, which thousands a second would pay for. */
export function failure(code: string, call: string, path: string): NodeJS.ErrnoException {
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = 0;
  const error = new Error(`${code}: ${call} '${path}'`);
  Error.stackTraceLimit = limit;
  const errno = constants.errno[code as keyof typeof constants.errno];
  return Object.assign(error, { code, errno: -errno, syscall: call, path });
}

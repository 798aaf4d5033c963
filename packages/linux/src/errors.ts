import { constants } from 'node:os';

/** Of two names for one number the first counts, as with Node: EAGAIN, not EWOULDBLOCK. */
const namesByNumber = new Map<number, string>(
  Object.entries(constants.errno)
    .map(([name, number]): [number, string] => [number, name])
    .reverse(),
);

/** The symbolic name of an errno value ("ENOENT"), or its number in words when the C library has no name for it. */
export function errnoName(errno: number): string {
  return namesByNumber.get(errno) ?? `errno ${errno}`;
}

/** A system call that failed. `code` and `errno` read like those of Node's own errors (`errno` is positive here). */
export class SyscallError extends Error {
  override readonly name = 'SyscallError';
  readonly syscall: string;
  readonly errno: number;
  readonly code: string;

  constructor(syscall: string, errno: number, detail = '') {
    const code = errnoName(errno);
    super(`${syscall}${detail && ` ${detail}`}: ${code}`);
    this.syscall = syscall;
    this.errno = errno;
    this.code = code;
  }
}

/** Whether `error` carries one of these codes ("ENOENT"), from Node or from this package. */
export function hasCode(error: unknown, ...codes: string[]): boolean {
  if (!(error instanceof Error) || !('code' in error)) return false;
  return typeof error.code === 'string' && codes.includes(error.code);
}

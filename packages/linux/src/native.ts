/** The one door to the C library: functions are declared on first use, results below zero become errors. */
import { randomUUID } from 'node:crypto';
import koffi from 'koffi';
import { SyscallError } from './errors.ts';

const library = koffi.load(null);
type KoffiFunction = ReturnType<typeof library.func>;

/** A C function of the running process, declared in C. Not called before first use. */
export function declare(prototype: string): (...args: unknown[]) => number {
  let loaded: KoffiFunction | undefined;
  return (...args) => {
    loaded ??= library.func(prototype);
    return Number(loaded(...args) as number | bigint);
  };
}

/** The same, but the call runs on libuv's pool: it holds one of its threads for as long as it blocks. */
export function declareAsync(
  prototype: string,
): (...args: unknown[]) => Promise<{ result: number; errno: number }> {
  let loaded: KoffiFunction | undefined;
  return (...args) =>
    new Promise((resolve, reject) => {
      loaded ??= library.func(prototype);
      loaded.async(...args, (error: Error | null, result: number | bigint) => {
        if (error) reject(error);
        else resolve({ result: Number(result), errno: koffi.errno() });
      });
    });
}

/** Passes a result through, or throws the {@link SyscallError} that errno tells. `detail` names what it was about. */
export function check(syscall: string, result: number, detail?: string): number {
  if (result >= 0) return result;
  throw new SyscallError(syscall, koffi.errno(), detail);
}

/** The errno of the call that has just failed. */
export function lastErrno(): number {
  return koffi.errno();
}

/**
 * Registers a C struct; answers what it is called in prototypes. Names are the process's, in which there may be another copy of
 * this module, so each gets one of its own.
 */
export function defineStruct(members: Record<string, string>): string {
  const name = `struct_${randomUUID().replaceAll('-', '')}`;
  koffi.struct(name, members);
  return name;
}

const rawSyscall = declare('long syscall(long number, long a, long b, long c, long d)');

/** A system call that the C library may not wrap, by its number (the same on x86-64 and arm64 since 5.0). */
export function syscall(name: string, number: number, ...args: number[]): number {
  const [a = 0, b = 0, c = 0, d = 0] = args;
  return check(name, rawSyscall(number, a, b, c, d));
}

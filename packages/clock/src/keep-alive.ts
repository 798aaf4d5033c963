import { longestTimeoutMs } from './longest-timeout.ts';

/**
 * Keeps the process alive until it is disposed of: a clock's timers do not, and a program may have nothing else under
 * way while it waits for one.
 */
export function keepAlive(): Disposable {
  const handle = setInterval(() => {}, longestTimeoutMs);
  return { [Symbol.dispose]: () => clearInterval(handle) };
}

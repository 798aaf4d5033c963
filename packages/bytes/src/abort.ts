/**
 * Calls `act` once when the signal aborts, or before this returns if it has. Returns what takes the listener back, which
 * may be called again, and from `act`'s own work. Without a signal nothing happens.
 */
export function onAbort(signal: AbortSignal | undefined, act: (reason: unknown) => void): () => void {
  if (!signal) return () => {};
  const listener = () => act(signal.reason);
  if (signal.aborted) listener();
  else signal.addEventListener('abort', listener, { once: true });
  return () => signal.removeEventListener('abort', listener);
}

/** The promise's outcome, or a rejection with `signal.reason` if that comes first. Leaves no listener behind. */
export function orAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return promise;
  return new Promise<T>((resolve, reject) => {
    const leave = onAbort(signal, reject);
    promise.then(resolve, reject).finally(leave);
  });
}

/** Resolves with the reason when the signal aborts. */
export function aborted(signal: AbortSignal): Promise<unknown> {
  return new Promise((resolve) => onAbort(signal, resolve));
}

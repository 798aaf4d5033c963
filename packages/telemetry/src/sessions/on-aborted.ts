/** Calls `wake` once when `signal` aborts, at once where it has; what is returned takes that back. As `onAbort` of bytes. */
export function onAborted(signal: AbortSignal, wake: () => void): () => void {
  if (signal.aborted) wake();
  else signal.addEventListener('abort', wake, { once: true });
  return () => signal.removeEventListener('abort', wake);
}

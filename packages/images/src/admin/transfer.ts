import type { TransferProgress } from '../registry/progress.ts';

/** A pull or a push under way. */
export interface Transfer<Result> {
  /**
   * What came of it; rejects with `ImageError`, or the signal's reason. Settles whether or not somebody reads the
   * progress.
   */
  readonly done: Promise<Result>;
  /**
   * The news of each blob, to be read once. A slow reader misses what a later one of the same blob says; it ends with the
   * transfer, and throws nothing.
   */
  readonly progress: AsyncIterable<TransferProgress>;
}

/** Starts a transfer whose news are told to a function. */
export function startTransfer<Result>(
  run: (onProgress: (progress: TransferProgress) => void) => Promise<Result>,
): Transfer<Result> {
  const latest = new Map<string, TransferProgress>();
  let isOver = false;
  let wake = () => {};
  const done = run((progress) => {
    // The newest comes last, so that a reader sees news in their order.
    latest.delete(progress.digest);
    latest.set(progress.digest, progress);
    wake();
  }).finally(() => {
    isOver = true;
    wake();
  });
  // Whoever only reads the progress learns of a failure from `done`.
  done.catch(() => {});
  async function* news(): AsyncGenerator<TransferProgress> {
    for (;;) {
      const [next] = latest.values();
      if (next) {
        latest.delete(next.digest);
        yield next;
      } else if (isOver) return;
      else await new Promise<void>((resolve) => (wake = resolve));
    }
  }
  return { done, progress: news() };
}

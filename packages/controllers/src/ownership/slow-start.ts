import { limits } from '../limits.ts';

/**
 * Calls `call` so many times: once, then twice at a time, four times and so on up to `limits.burstReplicas`, until one of
 * a batch fails. Answers how many succeeded, and the first failure (upstream: slowStartBatch).
 */
export async function slowStart(
  count: number,
  call: (index: number) => Promise<void>,
): Promise<{ succeeded: number; error?: unknown }> {
  let succeeded = 0;
  for (let size = 1; succeeded < count; size = Math.min(2 * size, limits.burstReplicas)) {
    const batch = Array.from({ length: Math.min(size, count - succeeded) }, (_, index) =>
      call(succeeded + index),
    );
    const results = await Promise.allSettled(batch);
    const failed = results.find((result) => result.status === 'rejected');
    succeeded += results.filter(({ status }) => status === 'fulfilled').length;
    if (failed) return { succeeded, error: failed.reason };
  }
  return { succeeded };
}

import { type Clock, RateBucket, sleep } from '@wherry/clock';
import { plugInTold } from '../../limits.ts';

/**
 * What a plug-in tells by itself, taken no faster than `plugInTold` says, and so that handling it leaves the kubelet most of its
 * time: whoever floods waits. Ends with `told`, or rejects with the signal's reason.
 */
export async function* paced<T>(
  told: AsyncIterable<T>,
  { clock, signal }: { clock: Clock; signal: AbortSignal },
): AsyncIterable<T> {
  const { timeShare, ...rate } = plugInTold;
  const bucket = new RateBucket({ clock, ...rate });
  for await (const each of told) {
    const beganMs = clock.monotonicMs();
    yield each;
    const tookMs = clock.monotonicMs() - beganMs;
    const restMs = Math.ceil(tookMs / timeShare - tookMs);
    if (restMs > 0) await sleep({ clock, delayMs: restMs, signal });
    for (let { waitMs } = bucket.take(); waitMs > 0; { waitMs } = bucket.take())
      await sleep({ clock, delayMs: waitMs, signal });
  }
}

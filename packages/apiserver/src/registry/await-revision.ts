import { onAbort } from '@wherry/bytes';
import type { Clock } from '@wherry/clock';
import { periods } from '../limits.ts';
import { tooLargeRevision } from '../requests/list-options.ts';
import type { Store, StoreWatch } from '../store/store.ts';

/** For how long, and for whom, a state that is still to come is waited for. */
export interface Patience {
  clock: Clock;
  /** Aborts when nobody waits any more. */
  signal: AbortSignal;
}

/**
 * Resolves once the store is as new as a client wants it: whoever was told of a write by another server may be a little
 * early here. Throws 504 when it has not come to be within `periods.freshnessMs`, as upstream, or nobody waits any more.
 */
export async function awaitRevision(
  store: Store,
  wanted: number,
  { clock, signal }: Patience,
): Promise<void> {
  const current = await store.revision();
  if (wanted <= current) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = clock.after(periods.freshnessMs, resolve);
  const leave = onAbort(signal, () => resolve());
  let watch: StoreWatch | undefined;
  try {
    watch = await store.watch({
      ...{ prefix: '/', afterRevision: current },
      onEvents(events) {
        if (events.at(-1)!.revision >= wanted) resolve();
      },
      onEnd: () => resolve(),
    });
    await promise;
  } finally {
    timer.cancel();
    leave();
    watch?.close();
  }
  const latest = await store.revision();
  if (wanted > latest) throw tooLargeRevision(wanted, latest);
}

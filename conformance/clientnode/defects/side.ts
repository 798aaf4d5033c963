/** What a defect is tried with: where the cluster is, and what its scripted part needs. */
export interface Surroundings {
  /** File that both clients read. */
  kubeconfig: string;
  namespace: string;
}

/** Tries one thing and says in words what came of it. */
export type Attempt = (surroundings: Surroundings) => Promise<string>;

/** How long nothing comes before it is taken for never. */
export const patienceMs = 4_000;

/** How long what does come may take on a busy machine. */
export const comesWithinMs = 40_000;

/** Settles with `otherwise` when `promise` does not in time. */
export function within<T>(promise: Promise<T>, otherwise: T, waitMs = comesWithinMs): Promise<T> {
  return Promise.race([promise, new Promise<T>((resolve) => setTimeout(resolve, waitMs, otherwise))]);
}

export const pause = (delayMs: number) => new Promise<void>((resolve) => setTimeout(resolve, delayMs));

/** Resolves once something has been counted, and nothing more for {@link patienceMs}, or more than `enough`. */
export async function settled(count: () => number, enough = Number.POSITIVE_INFINITY): Promise<void> {
  const startMs = performance.now();
  let [before, sinceMs] = [0, startMs];
  for (;;) {
    await pause(50);
    const [now, nowMs] = [count(), performance.now()];
    if (now > enough || nowMs - startMs > comesWithinMs) return;
    if (now !== before) [before, sinceMs] = [now, nowMs];
    else if (now > 0 && nowMs - sinceMs > patienceMs) return;
  }
}

/** What becomes of bytes that nobody reads. */
export async function heldBy(stuck: { writableLength: number }): Promise<string> {
  const muchBytes = 20e6;
  await settled(() => stuck.writableLength, muchBytes);
  return stuck.writableLength > muchBytes ? 'all of it waits in memory' : 'the command waits';
}

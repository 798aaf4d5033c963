import { deadline, systemClock } from '@wherry/clock';
import type { KubeFlags } from '../../kube/flags.ts';

/** From this level of `-v` on it is said why a watch ended. */
const reasonFrom = 5;

/**
 * Runs what goes on until the process is interrupted. With `--request-timeout` it ends after that time, which is no failure, as in
 * kubectl.
 */
export async function withinRequestTimeout(
  { requestTimeout: timeoutMs, v = 0 }: Pick<KubeFlags, 'requestTimeout' | 'v'>,
  work: (signal: AbortSignal | undefined) => Promise<void>,
): Promise<void> {
  if (!timeoutMs) return work(undefined);
  using limit = deadline({ clock: systemClock, timeoutMs });
  try {
    await work(limit.signal);
  } catch (error) {
    if (!limit.signal.aborted) throw error;
    if (v >= reasonFrom)
      console.error(`Timeout: --request-timeout has ended the watch after ${timeoutMs} ms`);
  }
}

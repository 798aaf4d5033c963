import { loadClusterAccess } from '@wherry/client';
import { backoff, sleep } from '@wherry/clock';
import { joinRetryMs } from '../limits.ts';
import { type BootstrapOptions, bootstrap } from './bootstrap.ts';
import type { Joining } from './rotating-client.ts';

/**
 * Gets a kubelet its credentials while it runs, trying again as long as it takes: on a machine that becomes a control plane the API
 * server is one of the pods that this kubelet is to start.
 */
export function join(options: BootstrapOptions & { signal: AbortSignal }): Joining {
  const {
    tls,
    tlsFiles: _,
    credentials: __,
    ...access
  } = loadClusterAccess({
    kubeconfig: options.bootstrapKubeconfig,
  });
  return {
    access: { ...access, tls: { ...tls, cert: undefined, key: undefined }, headers: () => ({}) },
    joined: untilJoined(options),
  };
}

async function untilJoined(options: BootstrapOptions & { signal: AbortSignal }): Promise<void> {
  const { clock, logger, signal } = options;
  const retry = backoff(joinRetryMs);
  for (;;) {
    try {
      return await bootstrap(options);
    } catch (error) {
      signal.throwIfAborted();
      logger.warn('there is no client certificate yet', { error });
    }
    await sleep({ clock, delayMs: retry.nextDelayMs(), signal });
  }
}

import { dirname } from 'node:path';
import { orAborted } from '@wherry/bytes';
import { type Clock, deadline, systemClock } from '@wherry/clock';
import { createCriServer } from '@wherry/cri';
import { StreamingServer } from '@wherry/monitor';
import { type Logger, silentLogger } from '@wherry/telemetry';
import { limits } from './limits.ts';
import type { PodProvider } from './provider.ts';
import { Records } from './records.ts';
import { Images } from './service/image-handlers.ts';
import { runtimeHandlers } from './service/runtime-handlers.ts';
import { Sessions } from './service/sessions.ts';

/** What a provided runtime is served with. */
export interface ServeProviderOptions {
  provider: PodProvider;
  /** Unix socket that the kubelet's `containerRuntimeEndpoint` names; its folder is there already. */
  socketPath: string;
  /** Silence that ends a session, in milliseconds; pings break it. Default 4 h. */
  streamingIdleTimeoutMs?: number | undefined;
  clock?: Clock | undefined;
  /** Default: none. */
  logger?: Logger | undefined;
}

/** A runtime that serves. */
export interface RunningProvider {
  /** Ends all containers and pods, then the server. What the provider has not ended within 10 s is left behind. */
  close(): Promise<void>;
}

const goodbyeMs = 1_000;

/**
 * Serves CRI v1 over a provider: any kubelet, wherry's or upstream's, then runs its pods by it, with logs, exec, attach and
 * port-forward, probes, restarts and figures. Records are in memory: pods end with this process, and the kubelet starts them anew
 * at the next one. Rejects when the socket can't be had.
 */
export async function serveProvider(options: ServeProviderOptions): Promise<RunningProvider> {
  const { provider, socketPath, clock = systemClock, logger = silentLogger } = options;
  const records = new Records();
  const nowNs = () => BigInt(Math.round(clock.nowMs() * 1e6));
  const images = new Images(provider, { folder: dirname(socketPath), nowNs });
  const streaming = new StreamingServer({
    ...{ runner: new Sessions({ provider, records, clock }), clock, logger },
    ...(options.streamingIdleTimeoutMs !== undefined && { idleTimeoutMs: options.streamingIdleTimeoutMs }),
  });
  const runtime = runtimeHandlers({ provider, records, images, streaming, clock, logger, nowNs });
  const server = createCriServer({ runtime, images: images.handlers });
  await streaming.listen();
  try {
    await server.listen(socketPath);
  } catch (error) {
    await streaming.close();
    throw error;
  }
  let closing: Promise<void> | undefined;
  async function closeAll(): Promise<void> {
    await server.close(goodbyeMs);
    using limit = deadline({ clock, timeoutMs: limits.closeMs });
    const { signal } = limit;
    await Promise.allSettled(records.containers().map((container) => container.stop(0, signal)));
    const ready = records.sandboxes().filter(({ isReady }) => isReady);
    const stopped = ready.map(async ({ pod }) =>
      orAborted(Promise.resolve(provider.stopPod?.(pod, {})), signal),
    );
    await Promise.allSettled(stopped);
    await streaming.close();
  }
  return {
    close() {
      closing ??= closeAll();
      return closing;
    },
  };
}

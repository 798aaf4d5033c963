import { type ByteChannel, onAbort, pump } from '@wherry/bytes';
import type { Clock } from '@wherry/clock';
import { Liveness } from '../http/liveness.ts';
import { departedClientTimeoutMs, idleTimeoutMs, pingIntervalMs } from '../limits.ts';

/** What {@link joinChannels} is given. */
export interface JoinChannelsOptions {
  client: ByteChannel;
  backend: ByteChannel;
  /** No byte in either direction for so long ends both. Default 4 h; 5 min at most once the client has ended. */
  idleTimeoutMs?: number | undefined;
  clock?: Clock | undefined;
  signal?: AbortSignal | undefined;
}

/** What passed between two joined channels. */
export interface JoinedChannels {
  bytesFromClient: number;
  bytesFromBackend: number;
  /** Null when both directions ended in order. */
  error: Error | null;
  /** Who was first to end its direction, or to go. */
  endedBy: 'client' | 'backend' | 'hop';
}

/** Moves bytes both ways with half-close until both directions have ended, or nothing moves any more. Never rejects. */
export async function joinChannels(options: JoinChannelsOptions): Promise<JoinedChannels> {
  const { client, backend, signal } = options;
  let endedBy: JoinedChannels['endedBy'] | undefined;
  const ends = (side: JoinedChannels['endedBy']) => () => {
    endedBy ??= side;
  };
  void client.closed.then(ends('client'));
  void backend.closed.then(ends('backend'));
  const cut = (error: Error) => {
    ends('hop')();
    client.abort(error);
    backend.abort(error);
  };
  const liveness = new Liveness({
    clock: options.clock,
    intervalMs: pingIntervalMs,
    silenceTimeoutMs: options.idleTimeoutMs ?? idleTimeoutMs,
    isPaused: () => false,
    beat: () => {},
    onSilence: (silentMs) => cut(new Error(`no byte passed the proxy for ${Math.round(silentMs)} ms`)),
  });
  const leave = onAbort(signal, (cause) => cut(new Error('the proxy is closing', { cause })));
  const onBytes = () => liveness.heard();
  const upward = pump(client, backend, { onBytes });
  void upward.then(() => {
    liveness.heard();
    liveness.limitSilence(departedClientTimeoutMs);
  });
  const downward = pump(backend, client, { onBytes });
  void upward.then(({ error }) => error ?? ends('client')());
  void downward.then(({ error }) => error ?? ends('backend')());
  const [up, down] = await Promise.all([upward, downward]);
  liveness.stop();
  leave();
  const bytes = { bytesFromClient: up.bytes, bytesFromBackend: down.bytes };
  return { ...bytes, error: up.error ?? down.error, endedBy: endedBy ?? 'hop' };
}

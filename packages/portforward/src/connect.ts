import type { ByteChannel, WaitOptions } from '@wherry/bytes';
import type { Clock } from '@wherry/clock';
import { systemClock } from '@wherry/clock';
import { createSpdySession, type SpdySession } from '@wherry/spdy';
import type { Logger } from '@wherry/telemetry';
import { silentLogger } from '@wherry/telemetry';
import {
  dialWebSocket,
  requestUpgrade,
  spdyOverWebSocket,
  UpgradeError,
  type UpgradeTarget,
} from '@wherry/upgrade';
import { ForwardedConnection } from './forwarded-connection.ts';
import { clientSilenceTimeoutMs, idleTimeoutMs, pingIntervalMs, tunnelPingIntervalMs } from './limits.ts';
import { portForwardProtocol, streamHeaders, tunnelProtocol } from './protocols.ts';

/** How the bytes travel: SPDY inside a WebSocket, or plain SPDY. */
export type PortForwardTransport = 'websocket' | 'spdy';

/** What {@link connectPortForward} is given. */
export interface ConnectPortForwardOptions extends UpgradeTarget {
  /** `auto` tries the WebSocket and falls back to SPDY when the upgrade is refused. Default `auto`. */
  transport?: 'auto' | PortForwardTransport | undefined;
  clock?: Clock | undefined;
  logger?: Logger | undefined;
}

/** A session through which any number of connections to the pod's ports can be made. */
export interface PortForwardConnection {
  readonly transport: PortForwardTransport;
  /**
   * Opens a connection to `port`. Both directions end apart. The server dials only then: a port that refuses shows as
   * a `PortForwardError` in the channel's `closed`, and touches no other connection. Rejects with `SpdyError` when
   * the session is gone or the server does not answer within 30 s, or with `signal.reason`.
   */
  dial(port: number, options?: WaitOptions): Promise<ByteChannel>;
  /** Connections that are open, by SPDY streams (two each). */
  readonly streamCount: number;
  /** Ends the session and every connection in it. */
  close(): void;
  /** Settles when the session is gone: null after `close` or the server's leaving in order. */
  readonly closed: Promise<Error | null>;
}

/** Opens a session. Rejects with `UpgradeError` or `signal.reason`. */
export async function connectPortForward(options: ConnectPortForwardOptions): Promise<PortForwardConnection> {
  const { transport = 'auto', logger = silentLogger } = options;
  if (transport === 'spdy') return overSpdy(options);
  try {
    return await overWebSocket(options);
  } catch (error) {
    if (transport === 'websocket' || !(error instanceof UpgradeError) || error.code === 'unreachable')
      throw error;
    logger.debug('falling back to SPDY', { error });
    return overSpdy(options);
  }
}

async function overWebSocket(options: ConnectPortForwardOptions): Promise<PortForwardConnection> {
  const webSocket = await dialWebSocket({ ...options, protocols: [tunnelProtocol] });
  const session = startSession(options, spdyOverWebSocket(webSocket), tunnelPingIntervalMs);
  return new Connection('websocket', session);
}

async function overSpdy(options: ConnectPortForwardOptions): Promise<PortForwardConnection> {
  const { channel, protocol } = await requestUpgrade({ ...options, protocols: [portForwardProtocol] });
  if (protocol !== portForwardProtocol) {
    const text = `unable to negotiate protocol: client supports "${portForwardProtocol}", server returned "${protocol}"`;
    const error = new UpgradeError('protocol', text, { statusCode: 101 });
    channel.abort(error);
    throw error;
  }
  return new Connection('spdy', startSession(options, channel, pingIntervalMs));
}

function startSession(
  options: ConnectPortForwardOptions,
  transport: ByteChannel,
  pingEveryMs: number,
): SpdySession {
  const clock = options.clock ?? systemClock;
  return createSpdySession({
    transport,
    role: 'client',
    clock,
    pingIntervalMs: pingEveryMs,
    silenceTimeoutMs: clientSilenceTimeoutMs,
    idleTimeoutMs,
  });
}

class Connection implements PortForwardConnection {
  readonly transport: PortForwardTransport;
  readonly closed: Promise<Error | null>;
  readonly #session: SpdySession;
  #nextRequestId = 0;

  constructor(transport: PortForwardTransport, session: SpdySession) {
    this.transport = transport;
    this.#session = session;
    this.closed = session.closed;
  }

  get streamCount(): number {
    return this.#session.streamCount;
  }

  /** Both streams are asked for at once: that saves a round trip, and their order is what servers expect. */
  async dial(port: number, { signal }: WaitOptions = {}): Promise<ByteChannel> {
    const common = {
      [streamHeaders.port]: String(port),
      [streamHeaders.requestId]: String(this.#nextRequestId++),
    };
    const opening = [
      this.#session.createStream(
        { ...common, [streamHeaders.type]: 'error', [streamHeaders.errors]: 'text' },
        { signal, fin: true },
      ),
      this.#session.createStream({ ...common, [streamHeaders.type]: 'data' }, { signal }),
    ] as const;
    const [error, data] = await Promise.allSettled(opening);
    if (error.status === 'fulfilled' && data.status === 'fulfilled') {
      return new ForwardedConnection(data.value, error.value);
    }
    for (const half of [error, data]) if (half.status === 'fulfilled') half.value.reset();
    throw error.status === 'rejected' ? error.reason : (data as PromiseRejectedResult).reason;
  }

  close(): void {
    this.#session.close();
  }
}

import type { ByteChannel, WaitOptions } from '@wherry/bytes';
import type { Clock } from '@wherry/clock';
import { systemClock } from '@wherry/clock';
import type { LiveSession, Logger } from '@wherry/telemetry';
import { silentLogger } from '@wherry/telemetry';
import {
  acceptSpdyUpgrade,
  acceptWebSocket,
  isWebSocketRequest,
  spdyOverWebSocket,
  spokenProtocol,
  UpgradeError,
  type UpgradeExchange,
} from '@wherry/upgrade';
import { idleTimeoutMs, streamCreationTimeoutMs } from './limits.ts';
import { legacyProtocols, portForwardProtocol, tunnelProtocol } from './protocols.ts';
import { serveLegacyPortForward } from './serve-legacy.ts';
import { serveSpdyPortForward } from './serve-spdy.ts';
import type { ConnectionCounts, PortForwardService } from './serve-types.ts';

/** What {@link servePortForward} is given. */
export interface ServePortForwardOptions extends UpgradeExchange {
  /**
   * Connects to a port inside the pod; `signal` aborts when the client gives the connection up. A rejection ends that
   * one connection, with its message.
   */
  dial(port: number, options: WaitOptions): Promise<ByteChannel>;
  /** Ports of the request (CRI PortForwardRequest.port): older WebSocket clients need them, others bring their own. */
  ports?: readonly number[] | undefined;
  /** Names the pod in error texts. Default empty. */
  podName?: string | undefined;
  /** How long half a stream pair waits for the other half. Default 30 s. */
  streamCreationTimeoutMs?: number | undefined;
  /** Silence that ends the session; pings break it. Default 4 h. */
  idleTimeoutMs?: number | undefined;
  /** Ends the session in order: the pod is gone. */
  signal?: AbortSignal | undefined;
  /** Told of what passes through each port, and of the end. */
  session?: LiveSession | undefined;
  clock?: Clock | undefined;
  logger?: Logger | undefined;
}

/** What became of a served session. */
export interface ServedPortForward extends ConnectionCounts {
  /** 101 when the connection was upgraded, else the refusal's status. */
  statusCode: number;
  /** null when the client left in order. */
  error: Error | null;
}

/**
 * Serves one port-forward session on an upgrade request: SPDY, SPDY inside a WebSocket, or the WebSocket channels of
 * older clients, by what the client asks for. A connection that fails ends alone. Resolves when the session is over;
 * never rejects.
 */
export async function servePortForward(options: ServePortForwardOptions): Promise<ServedPortForward> {
  const service: PortForwardService = {
    dial: options.dial,
    podName: options.podName ?? '',
    streamCreationTimeoutMs: options.streamCreationTimeoutMs ?? streamCreationTimeoutMs,
    idleTimeoutMs: options.idleTimeoutMs ?? idleTimeoutMs,
    signal: options.signal,
    session: options.session,
    clock: options.clock ?? systemClock,
    logger: options.logger ?? silentLogger,
  };
  try {
    const served = await serveUpgraded(options, service);
    const { error } = served;
    const by = options.signal?.aborted ? 'hop' : 'client';
    options.session?.end(error ? { reason: 'broken', by, message: error.message } : { reason: 'closed', by });
    return { statusCode: 101, ...served };
  } catch (error) {
    const statusCode = error instanceof UpgradeError ? error.statusCode : 500;
    options.session?.end({ reason: 'refused', statusCode, message: (error as Error).message });
    return { statusCode, connections: 0, failures: 0, error: error as Error };
  }
}

function serveUpgraded(options: ServePortForwardOptions, service: PortForwardService) {
  if (!isWebSocketRequest(options.request)) {
    const { channel, protocol, repliesAhead } = acceptSpdyUpgrade({
      ...options,
      protocols: [portForwardProtocol],
    });
    service.session?.joined({ client: spokenProtocol('spdy', protocol) });
    return serveSpdyPortForward(channel, service, { sendsReplies: !repliesAhead });
  }
  const webSocket = acceptWebSocket({
    ...options,
    protocols: [tunnelProtocol, ...Object.values(legacyProtocols)],
    closeTimeoutMs: service.idleTimeoutMs,
  });
  service.session?.joined({ client: spokenProtocol('websocket', webSocket.protocol) });
  if (webSocket.protocol === tunnelProtocol)
    return serveSpdyPortForward(spdyOverWebSocket(webSocket), service);
  return serveLegacyPortForward(webSocket, options.ports ?? [], service);
}

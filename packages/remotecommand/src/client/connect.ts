import type { Clock } from '@wherry/clock';
import { systemClock } from '@wherry/clock';
import type { Logger } from '@wherry/telemetry';
import { silentLogger } from '@wherry/telemetry';
import { UpgradeError, type UpgradeTarget } from '@wherry/upgrade';
import { protocols } from '../protocols.ts';
import { openableStreams, type RemoteCommandStreams, type RemoteCommandTransport } from '../session.ts';
import { Connection, type RemoteCommandConnection } from './connection.ts';
import { openSpdyClientStreams } from './spdy.ts';
import type { ClientStreams } from './streams.ts';
import { openWebSocketClientStreams } from './websocket.ts';

/** What {@link connectRemoteCommand} is given. `url` has the whole query: command, container, stdin and so on. */
export interface ConnectRemoteCommandOptions extends UpgradeTarget {
  /** Must agree with the query. */
  streams: RemoteCommandStreams;
  /** `auto` tries WebSocket and falls back to SPDY when the upgrade is refused. Default `auto`. */
  transport?: 'auto' | RemoteCommandTransport | undefined;
  /** Sub-protocols to offer over WebSocket. Default: v5 alone, so that servers without it are told apart. */
  webSocketProtocols?: readonly string[] | undefined;
  /** Ends the attempt, and later the session. */
  signal?: AbortSignal | undefined;
  clock?: Clock | undefined;
  logger?: Logger | undefined;
}

/** Starts an exec or attach session. Rejects with `UpgradeError`, `SpdyError` or `signal.reason`. */
export async function connectRemoteCommand(
  options: ConnectRemoteCommandOptions,
): Promise<RemoteCommandConnection> {
  return new Connection(await openStreams(options), options.signal);
}

async function openStreams(options: ConnectRemoteCommandOptions): Promise<ClientStreams> {
  const { transport = 'auto', clock = systemClock, logger = silentLogger } = options;
  const wanted = { ...options, streams: openableStreams(options.streams), clock };
  if (transport === 'spdy') return openSpdyClientStreams(wanted);
  const webSocketProtocols = options.webSocketProtocols ?? [protocols.v5];
  try {
    return await openWebSocketClientStreams({ ...wanted, webSocketProtocols });
  } catch (error) {
    if (transport === 'websocket' || !(error instanceof UpgradeError) || error.code === 'unreachable')
      throw error;
    logger.debug('falling back to SPDY', { error });
    return openSpdyClientStreams(wanted);
  }
}

import type { Clock } from '@wherry/clock';
import { dialWebSocket, type UpgradeTarget } from '@wherry/upgrade';
import type { RemoteCommandStreams } from '../session.ts';
import type { ClientStreams } from './streams.ts';
import { webSocketStreams } from './web-socket-streams.ts';

/** What {@link openWebSocketClientStreams} is given. */
export interface WebSocketClientOptions extends UpgradeTarget {
  streams: RemoteCommandStreams;
  /** Sub-protocols to offer. */
  webSocketProtocols: readonly string[];
  clock: Clock;
}

/** Opens a WebSocket and its channels. */
export async function openWebSocketClientStreams(options: WebSocketClientOptions): Promise<ClientStreams> {
  const socket = await dialWebSocket({ ...options, protocols: options.webSocketProtocols });
  return webSocketStreams(socket, options.streams);
}

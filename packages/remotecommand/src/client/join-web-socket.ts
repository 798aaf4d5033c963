import type { MessageSocket } from '@wherry/upgrade';
import { openableStreams, type RemoteCommandStreams } from '../session.ts';
import { Connection, type RemoteCommandConnection } from './connection.ts';
import { webSocketStreams } from './web-socket-streams.ts';

/** A session over a WebSocket that the caller has opened, with the sub-protocol that was chosen there. */
export function joinWebSocket(
  socket: MessageSocket,
  { streams, signal }: { streams: RemoteCommandStreams; signal?: AbortSignal | undefined },
): RemoteCommandConnection {
  return new Connection(webSocketStreams(socket, openableStreams(streams)), signal);
}

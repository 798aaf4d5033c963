import type { Clock } from '@wherry/clock';
import { ChannelSocket, dialWebSocket, type UpgradeTarget } from '@wherry/upgrade';
import { channels, isBase64, protocols } from '../protocols.ts';
import type { RemoteCommandStreams } from '../session.ts';
import type { ClientStreams } from './streams.ts';

/** What {@link openWebSocketClientStreams} is given. */
export interface WebSocketClientOptions extends UpgradeTarget {
  streams: RemoteCommandStreams;
  /** Sub-protocols to offer. */
  webSocketProtocols: readonly string[];
  clock: Clock;
}

/** Opens a WebSocket and its channels. Text messages on a binary sub-protocol end the session. */
export async function openWebSocketClientStreams(options: WebSocketClientOptions): Promise<ClientStreams> {
  const { stdin, stdout, stderr, tty } = options.streams;
  const socket = await dialWebSocket({ ...options, protocols: options.webSocketProtocols });
  const sources: number[] = [channels.error];
  if (stdout) sources.push(channels.stdout);
  if (stderr) sources.push(channels.stderr);
  const channelSocket = new ChannelSocket({
    socket,
    encoding: isBase64(socket.protocol) ? 'base64' : 'binary',
    sources,
    sinks: [channels.stdin, channels.resize],
    closeSignal: socket.protocol === protocols.v5 ? 'send' : undefined,
    acceptText: false,
  });
  return {
    transport: 'websocket',
    protocol: socket.protocol,
    stdin: stdin ? channelSocket.sink(channels.stdin) : null,
    stdout: stdout ? channelSocket.source(channels.stdout) : null,
    stderr: stderr ? channelSocket.source(channels.stderr) : null,
    error: channelSocket.source(channels.error),
    resize: tty ? channelSocket.sink(channels.resize) : null,
    close: () => channelSocket.close(),
    abort: (error) => channelSocket.abort(error),
    closed: socket.closed,
  };
}

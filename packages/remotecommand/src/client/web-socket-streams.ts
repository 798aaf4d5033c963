import { ChannelSocket, type MessageSocket } from '@wherry/upgrade';
import { channels, isBase64, protocols } from '../protocols.ts';
import type { RemoteCommandStreams } from '../session.ts';
import type { ClientStreams } from './streams.ts';

/** The channels of an open WebSocket. Text messages on a binary sub-protocol end the session. */
export function webSocketStreams(
  socket: MessageSocket,
  { stdin, stdout, stderr, tty }: RemoteCommandStreams,
): ClientStreams {
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
    endsInOrder: () => false,
    close: () => channelSocket.close(),
    abort: (error) => channelSocket.abort(error),
    hangUp(error) {
      for (const channel of sources) channelSocket.source(channel).abort(error);
      channelSocket.close();
    },
    closed: socket.closed,
  };
}

import type { ByteSink, ByteSource } from '@wherry/bytes';
import type { Clock } from '@wherry/clock';
import { ChannelSocket, type MessageSocket } from '@wherry/upgrade';
import { RemoteCommandError } from '../errors.ts';
import { greetingDelayMs } from '../limits.ts';
import { channels, isBase64, protocols } from '../protocols.ts';
import type { RemoteCommandStreams } from '../session.ts';
import type { ServerStreams } from './streams.ts';

/** What the streams of a WebSocket are made from. */
export interface WebSocketServerOptions {
  socket: MessageSocket;
  streams: RemoteCommandStreams;
  clock: Clock;
}

/**
 * The server's end of a session over WebSocket. Its first message is empty: some clients wait for it. A v5 client is
 * given a moment: client-go's makes its streams while it reads already, and complains on stderr about a message for a
 * stream that it has not made ("Unknown stream", tools/remotecommand/websocket.go).
 */
export function openWebSocketStreams(options: WebSocketServerOptions): ServerStreams {
  return new WebSocketServerStreams(options);
}

class WebSocketServerStreams implements ServerStreams {
  readonly transport = 'websocket';
  readonly protocol: string;
  readonly stdin: ByteSource | null;
  readonly stdout: ByteSink | null;
  readonly stderr: ByteSink | null;
  readonly error: ByteSink;
  readonly resize: ByteSource;
  readonly closed: Promise<Error | null>;
  readonly #socket: ChannelSocket;

  constructor({ socket, streams, clock }: WebSocketServerOptions) {
    const { stdin, stdout, stderr } = streams;
    this.protocol = socket.protocol;
    this.#socket = new ChannelSocket({
      socket,
      encoding: isBase64(socket.protocol) ? 'base64' : 'binary',
      sources: stdin ? [channels.stdin, channels.resize] : [channels.resize],
      sinks: [channels.stdout, channels.stderr, channels.error],
      closeSignal: socket.protocol === protocols.v5 ? 'receive' : undefined,
    });
    this.stdin = stdin ? this.#socket.source(channels.stdin) : null;
    this.stdout = stdout ? this.#socket.sink(channels.stdout) : null;
    this.stderr = stderr ? this.#socket.sink(channels.stderr) : null;
    this.error = this.#socket.sink(channels.error);
    this.resize = this.#socket.source(channels.resize);
    this.closed = socket.closed;
    const first = stdout ? channels.stdout : stderr ? channels.stderr : channels.error;
    if (socket.protocol === protocols.v5)
      this.#socket.greet({ channel: first, clock, delayMs: greetingDelayMs });
    else this.#socket.send(first, new Uint8Array(0));
  }

  /** The close frame goes behind the Status; the client answers it, or closes TCP, once it has read that far. */
  finish(): Promise<Error | null> {
    this.stdin?.abort(new RemoteCommandError('aborted', 'the command has ended'));
    this.#socket.close();
    return this.closed;
  }
}

import type { ByteChannel } from '@wherry/bytes';
import type { Clock } from '@wherry/clock';
import { createSpdySession, type SpdySession, type SpdyStream } from '@wherry/spdy';
import type { Logger } from '@wherry/telemetry';
import { RemoteCommandError } from '../errors.ts';
import { pingIntervalMs, serverSilenceTimeoutMs } from '../limits.ts';
import type { RemoteCommandStreams } from '../session.ts';
import { DiscardingSource } from './discarding-source.ts';
import { StreamCollector, type StreamType } from './stream-collector.ts';
import type { ServerStreams, ServerTimeouts } from './streams.ts';

/** What {@link openSpdyStreams} is given. */
export interface SpdyServerOptions {
  channel: ByteChannel;
  protocol: string;
  /** A hop before this one answers the streams. */
  repliesAhead: boolean;
  streams: RemoteCommandStreams;
  timeouts: ServerTimeouts;
  clock: Clock;
  logger: Logger;
}

/** Waits until the client has opened its streams. Rejects, with the connection closed, when some are missing in time. */
export async function openSpdyStreams(options: SpdyServerOptions): Promise<ServerStreams> {
  const collector = new StreamCollector({
    ...options,
    creationTimeoutMs: options.timeouts.streamCreationTimeoutMs,
  });
  const session = createSpdySession({
    transport: options.channel,
    role: 'server',
    sendsReplies: !options.repliesAhead,
    clock: options.clock,
    idleTimeoutMs: options.timeouts.idleTimeoutMs,
    pingIntervalMs,
    silenceTimeoutMs: serverSilenceTimeoutMs,
    onStream: (stream) => collector.take(stream),
  });
  await collector.complete(session);
  return new SpdyServerStreams(options, session, collector.streams);
}

class SpdyServerStreams implements ServerStreams {
  readonly transport = 'spdy';
  readonly protocol: string;
  readonly stdin: DiscardingSource | null;
  readonly stdout: SpdyStream | null;
  readonly stderr: SpdyStream | null;
  readonly error: SpdyStream;
  readonly resize: SpdyStream | null;
  readonly closed: Promise<Error | null>;
  readonly #options: SpdyServerOptions;
  readonly #session: SpdySession;
  readonly #streams: Map<StreamType, SpdyStream>;

  constructor(options: SpdyServerOptions, session: SpdySession, streams: Map<StreamType, SpdyStream>) {
    const { stdin, stdout, stderr, tty } = options.streams;
    const wanted = (type: StreamType, asked: boolean) => (asked ? (streams.get(type) ?? null) : null);
    const input = wanted('stdin', stdin);
    this.protocol = options.protocol;
    this.stdin = input && new DiscardingSource(input);
    this.stdout = wanted('stdout', stdout);
    this.stderr = wanted('stderr', stderr);
    this.error = streams.get('error')!;
    this.resize = wanted('resize', tty);
    this.closed = session.closed;
    this.#options = options;
    this.#session = session;
    this.#streams = streams;
  }

  /**
   * FIN on every stream, then wait for the client to go: it closes once it has read its output and the Status. What
   * it still sends is thrown away.
   */
  async finish(): Promise<Error | null> {
    this.stdin?.abort(new RemoteCommandError('aborted', 'the command has ended'));
    for (const stream of this.#streams.values()) stream.end();
    const { clock, timeouts } = this.#options;
    let isLate = false;
    const timer = clock.after(timeouts.lingerTimeoutMs, () => {
      isLate = true;
      this.#session.close();
    });
    const error = await this.#session.closed;
    timer.cancel();
    if (isLate)
      return new RemoteCommandError('connectionLost', 'the client did not leave after the command had ended');
    return error;
  }
}

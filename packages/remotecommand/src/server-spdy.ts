import type { ByteChannel } from '@wherry/bytes';
import type { Clock } from '@wherry/clock';
import { createSpdySession, resetStatus, type SpdySession, type SpdyStream } from '@wherry/spdy';
import type { Logger } from '@wherry/telemetry';
import { DiscardingSource, discard } from './discard.ts';
import { RemoteCommandError } from './errors.ts';
import { resizeStreamGraceMs } from './limits.ts';
import { hasResize } from './protocols.ts';
import type { ServerWire, ServerWireTimeouts } from './server-wire.ts';
import type { RemoteCommandStreams } from './session.ts';

/** What {@link openSpdyServerWire} is given. */
export interface SpdyServerOptions {
  channel: ByteChannel;
  protocol: string;
  streams: RemoteCommandStreams;
  timeouts: ServerWireTimeouts;
  clock: Clock;
  logger: Logger;
}

type StreamType = 'error' | 'stdin' | 'stdout' | 'stderr' | 'resize';

const streamTypes: readonly string[] = [
  'error',
  'stdin',
  'stdout',
  'stderr',
  'resize',
] satisfies StreamType[];

/**
 * Waits until the client has opened its streams. A stream that the command has not is accepted and ends at once; one
 * of an unknown type, or a second one of a type, is reset. Rejects, with the connection closed, when streams are
 * missing after the time-out.
 */
export async function openSpdyServerWire(options: SpdyServerOptions): Promise<ServerWire> {
  const collector = new StreamCollector(options);
  const session = createSpdySession({
    transport: options.channel,
    role: 'server',
    clock: options.clock,
    idleTimeoutMs: options.timeouts.idleTimeoutMs,
    onStream: (stream) => collector.take(stream),
  });
  await collector.complete(session);
  return new SpdyServerWire(options, session, collector.streams);
}

/** Sorts the client's streams by type until all that are needed are there. */
class StreamCollector {
  readonly streams = new Map<StreamType, SpdyStream>();
  readonly #options: SpdyServerOptions;
  readonly #wanted: Set<string>;
  readonly #required: StreamType[];
  readonly #changed = Promise.withResolvers<void>();
  readonly #resized = Promise.withResolvers<void>();

  constructor(options: SpdyServerOptions) {
    this.#options = options;
    const { stdin, stdout, stderr, tty } = options.streams;
    this.#required = ['error'];
    if (stdin) this.#required.push('stdin');
    if (stdout) this.#required.push('stdout');
    if (stderr && !tty) this.#required.push('stderr');
    this.#wanted = new Set(
      tty && hasResize(options.protocol) ? [...this.#required, 'resize'] : this.#required,
    );
  }

  take(stream: SpdyStream): void {
    const type = stream.headers.get('streamtype') ?? '';
    if (!streamTypes.includes(type) || this.streams.has(type as StreamType)) {
      this.#options.logger.warn('refused a stream', { streamType: type });
      stream.reset(resetStatus.cancel);
      return;
    }
    this.streams.set(type as StreamType, stream);
    stream.reply();
    if (!this.#wanted.has(type)) {
      stream.end();
      stream.receive(discard);
    }
    if (type === 'resize') this.#resized.resolve();
    if (this.#required.every((name) => this.streams.has(name))) this.#changed.resolve();
  }

  async complete(session: SpdySession): Promise<void> {
    const { clock, timeouts } = this.#options;
    const expired = Promise.withResolvers<Error>();
    const timer = clock.after(timeouts.streamCreationTimeoutMs, () =>
      expired.resolve(
        new RemoteCommandError('connectionLost', 'timed out waiting for client to create streams'),
      ),
    );
    const failure = await Promise.race([
      this.#changed.promise,
      expired.promise,
      session.closed.then(
        (error) => error ?? new RemoteCommandError('connectionLost', 'the client left at once'),
      ),
    ]);
    timer.cancel();
    if (failure) {
      session.close();
      throw failure;
    }
    if (this.#wanted.has('resize')) await this.#awaitResize(session);
  }

  async #awaitResize(session: SpdySession): Promise<void> {
    const grace = Promise.withResolvers<void>();
    const timer = this.#options.clock.after(resizeStreamGraceMs, () => grace.resolve());
    await Promise.race([this.#resized.promise, grace.promise, session.closed]);
    timer.cancel();
  }
}

class SpdyServerWire implements ServerWire {
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
    this.stderr = wanted('stderr', stderr && !tty);
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

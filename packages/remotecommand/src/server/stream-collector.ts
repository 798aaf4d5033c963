import { discard } from '@wherry/bytes';
import type { Clock } from '@wherry/clock';
import { resetStatus, type SpdySession, type SpdyStream } from '@wherry/spdy';
import type { Logger } from '@wherry/telemetry';
import { RemoteCommandError } from '../errors.ts';
import { resizeStreamGraceMs } from '../limits.ts';
import { hasResize } from '../protocols.ts';
import type { RemoteCommandStreams } from '../session.ts';

/** Values of the `streamType` header. */
export type StreamType = 'error' | 'stdin' | 'stdout' | 'stderr' | 'resize';

const streamTypes: readonly string[] = [
  'error',
  'stdin',
  'stdout',
  'stderr',
  'resize',
] satisfies StreamType[];

/** The streams that a client sends on; the others it only reads. */
const inputTypes: ReadonlySet<string> = new Set(['stdin', 'resize'] satisfies StreamType[]);

/** What a {@link StreamCollector} goes by. */
export interface StreamCollectorOptions {
  protocol: string;
  streams: RemoteCommandStreams;
  creationTimeoutMs: number;
  clock: Clock;
  logger: Logger;
}

/**
 * Sorts a client's streams by type until all that are needed are there. A stream that the command has not is accepted
 * and ends at once; one of an unknown type, or a second one of a type, is reset.
 */
export class StreamCollector {
  readonly streams = new Map<StreamType, SpdyStream>();
  readonly #options: StreamCollectorOptions;
  readonly #wanted: Set<string>;
  readonly #required: StreamType[];
  readonly #changed = Promise.withResolvers<void>();
  readonly #resized = Promise.withResolvers<void>();

  constructor(options: StreamCollectorOptions) {
    this.#options = options;
    const { stdin, stdout, stderr, tty } = options.streams;
    this.#required = ['error'];
    if (stdin) this.#required.push('stdin');
    if (stdout) this.#required.push('stdout');
    if (stderr) this.#required.push('stderr');
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
    const isWanted = this.#wanted.has(type);
    if (!isWanted) stream.end();
    // What is held for nobody would stop the whole connection.
    if (!isWanted || !inputTypes.has(type)) stream.receive(discard);
    if (type === 'resize') this.#resized.resolve();
    if (this.#required.every((name) => this.streams.has(name))) this.#changed.resolve();
  }

  async complete(session: SpdySession): Promise<void> {
    const { clock, creationTimeoutMs } = this.#options;
    const expired = Promise.withResolvers<Error>();
    const timer = clock.after(creationTimeoutMs, () =>
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

  /** Not every client opens it: one that comes later is accepted, and ends at once. */
  async #awaitResize(session: SpdySession): Promise<void> {
    const grace = Promise.withResolvers<void>();
    const timer = this.#options.clock.after(resizeStreamGraceMs, () => grace.resolve());
    await Promise.race([this.#resized.promise, grace.promise, session.closed]);
    timer.cancel();
    if (!this.streams.has('resize')) this.#wanted.delete('resize');
  }
}

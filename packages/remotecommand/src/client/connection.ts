import { type ByteSink, type ByteSource, onAbort } from '@wherry/bytes';
import { RemoteCommandError } from '../errors.ts';
import { hasStatus } from '../protocols.ts';
import type { RemoteCommandTransport, TerminalSize } from '../session.ts';
import { decodeExitCode } from '../status.ts';
import { watchDelivery } from './delivered-source.ts';
import { InputSink } from './input-sink.ts';
import { ResizeSender } from './resize-sender.ts';
import { readStatusStream, type StatusStreamContent } from './status-stream.ts';
import type { ClientStreams } from './streams.ts';

/** A command that runs on the other side. */
export interface RemoteCommandConnection {
  readonly transport: RemoteCommandTransport;
  readonly protocol: string;
  /**
   * `end` is the command's EOF (over WebSocket with v5 only). null when not asked for. What is written to a command that takes
   * no more, or once the session is over, is dropped, and `drained` resolves: {@link exitCode} tells how it ended. `write` throws after
   * `end` alone.
   */
  readonly stdin: ByteSink | null;
  /** Has to be read, or {@link exitCode} does not settle. null when not asked for. */
  readonly stdout: ByteSource | null;
  readonly stderr: ByteSource | null;
  /**
   * The command's exit code, once its output has been read to the end and a status came. Rejects with
   * {@link RemoteCommandError}: a session that ends without a status is a failure, never a success; one that `close` or
   * the signal ended rejects at once (`aborted`), read or not.
   */
  readonly exitCode: Promise<number>;
  /**
   * Tells the terminal's size; the latest wins. Does nothing without a terminal, and for what is no size: whole numbers up
   * to 65535 are, `NaN` of a terminal that is not shown is not.
   */
  resize(size: TerminalSize): void;
  /** Ends the session now. One with a terminal is left in order, so that no hop takes it for broken. */
  close(): void;
}

/** A session over its streams, whatever carries them. */
export class Connection implements RemoteCommandConnection {
  readonly transport: RemoteCommandTransport;
  readonly protocol: string;
  readonly stdin: ByteSink | null;
  readonly stdout: ByteSource | null;
  readonly stderr: ByteSource | null;
  readonly exitCode: Promise<number>;
  readonly #streams: ClientStreams;
  readonly #sizes: ResizeSender | undefined;
  readonly #ended = Promise.withResolvers<never>();
  #aborted: RemoteCommandError | undefined;

  constructor(streams: ClientStreams, signal: AbortSignal | undefined) {
    const status = readStatusStream(streams.error);
    const isEnd = async (error: Error) => {
      if (this.#aborted) return false;
      const told = await status;
      return (
        !this.#losesOutput(told.content) || (streams.endsInOrder(error) && isSettled(told, streams.protocol))
      );
    };
    const stdout = streams.stdout && watchDelivery(streams.stdout, isEnd);
    const stderr = streams.stderr && watchDelivery(streams.stderr, isEnd);
    this.transport = streams.transport;
    this.protocol = streams.protocol;
    this.stdin = streams.stdin && new InputSink(streams.stdin);
    this.stdout = stdout?.source ?? null;
    this.stderr = stderr?.source ?? null;
    this.#streams = streams;
    if (streams.resize) this.#sizes = new ResizeSender(streams.resize);
    const leave = onAbort(signal, (reason) => this.#abort(reason));
    const concluded = this.#conclude(status, [stdout?.delivered, stderr?.delivered]);
    this.exitCode = Promise.race([concluded, this.#ended.promise]).finally(() => {
      leave();
      streams.close();
    });
    this.exitCode.catch(() => {});
  }

  resize(size: TerminalSize): void {
    this.#sizes?.send(size);
  }

  close(): void {
    this.#abort(undefined);
  }

  #abort(cause: unknown): void {
    const why = cause instanceof Error ? `: ${cause.message}` : '';
    this.#aborted ??= new RemoteCommandError('aborted', `the session was ended by this side${why}`, {
      cause,
    });
    // To leave in order hangs a terminal up; of any other command it would end the input alone.
    if (this.#streams.resize && !isBroken(cause)) this.#streams.hangUp(this.#aborted);
    else this.#streams.abort(this.#aborted);
    this.#ended.reject(this.#aborted);
  }

  async #conclude(
    status: Promise<StatusStreamContent>,
    deliveries: (Promise<Error | null> | undefined)[],
  ): Promise<number> {
    const failures = await Promise.all(deliveries);
    const { content, error } = await status;
    if (this.#aborted) throw this.#aborted;
    const broken = failures.find((failure) => failure);
    if (broken && this.#losesOutput(content)) throw connectionLost(broken);
    if (error && content.length === 0 && !this.#streams.endsInOrder(error)) throw connectionLost(error);
    return decodeExitCode(content, this.protocol);
  }

  /**
   * A stream that broke before its end may have lost output. Over WebSocket all channels share one order: what came
   * before the status is all there was.
   */
  #losesOutput(status: Uint8Array): boolean {
    return this.transport === 'spdy' || status.length === 0;
  }
}

/** What broke on the way to here goes on as broken. */
const isBroken = (cause: unknown): boolean =>
  cause instanceof RemoteCommandError && cause.code === 'connectionLost' && cause.cause !== null;

/** With a status, or where success has none, a reset is how a server that closes at once ends its streams (CRI-O). */
function isSettled({ content }: StatusStreamContent, protocol: string): boolean {
  return content.length > 0 || !hasStatus(protocol);
}

function connectionLost(cause: Error): RemoteCommandError {
  const message = `the connection was lost before the command had ended: ${cause.message}`;
  return new RemoteCommandError('connectionLost', message, { cause });
}

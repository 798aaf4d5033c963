import type { ByteChannel, ByteSink, ByteSource } from './channel.ts';

/** How a pump ended. */
export interface PumpOutcome {
  /** Bytes that went through. */
  bytes: number;
  /** Null when the source ended in order and all its bytes were handed to the sink. */
  error: Error | null;
}

/** How a two-way pipe ended. */
export interface PipeOutcome {
  leftToRightBytes: number;
  rightToLeftBytes: number;
  /** Null when both directions ended in order. */
  error: Error | null;
}

/** Options of {@link pump}. */
export interface PumpOptions {
  /** Whether the sink is ended behind the source's FIN. Default true. */
  end?: boolean | undefined;
  /** Called for each piece that passes, with its length; for metrics and progress. */
  onBytes?: ((length: number) => void) | undefined;
}

/**
 * Moves one direction: every byte of `source` into `sink`, at the pace of the slower. Becomes the source's receiver.
 * The source's FIN ends the sink (half-close), a failure on either side aborts the other. Never rejects.
 */
export function pump(source: ByteSource, sink: ByteSink, options: PumpOptions = {}): Promise<PumpOutcome> {
  const { end = true, onBytes } = options;
  const { promise, resolve } = Promise.withResolvers<PumpOutcome>();
  let bytes = 0;
  let done = false;
  const finish = (error: Error | null) => {
    if (done) return;
    done = true;
    resolve({ bytes, error });
  };
  const failSink = (error: Error) => {
    finish(error);
    sink.abort(error);
  };
  const failSource = (error: Error) => {
    finish(error);
    source.abort(error);
  };
  source.receive({
    data(chunk) {
      if (done) return;
      bytes += chunk.length;
      onBytes?.(chunk.length);
      if (!writeOr(sink, chunk, failSource)) {
        source.pause();
        sink.drained().then(() => source.resume(), failSource);
      }
    },
    end() {
      if (end && !done) sink.end();
      finish(null);
    },
    closed(error) {
      if (error) failSink(error);
      else finish(null);
    },
  });
  sink.closed.then((error) => {
    if (!done) failSource(error ?? new Error('the sink closed before the source had ended'));
  });
  return promise;
}

/**
 * Joins two channels: bytes, back-pressure and half-close pass both ways, and a failure of one aborts the other.
 * Becomes the receiver of both. Resolves, never rejects, when both directions are through.
 */
export async function pipe(left: ByteChannel, right: ByteChannel): Promise<PipeOutcome> {
  const [forward, backward] = await Promise.all([pump(left, right), pump(right, left)]);
  return {
    leftToRightBytes: forward.bytes,
    rightToLeftBytes: backward.bytes,
    error: forward.error ?? backward.error,
  };
}

/** Writes; a sink that refuses makes the pump fail instead of the source's caller. */
function writeOr(sink: ByteSink, chunk: Uint8Array, failed: (error: Error) => void): boolean {
  try {
    return sink.write(chunk);
  } catch (error) {
    failed(error instanceof Error ? error : new Error(String(error)));
    return true;
  }
}

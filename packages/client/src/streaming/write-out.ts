import type { Writable } from 'node:stream';
import type { ByteSource } from '@wherry/bytes';

/**
 * Writes all of a source into a Node stream at the stream's pace and does not end it. Resolves when the source is
 * through and the stream has taken every byte: with null after an end in order, else with what the source broke of.
 * Rejects, and aborts the source, when the stream fails.
 */
export function writeOut(
  source: ByteSource,
  stream: Writable,
  onBytes: (length: number) => void = () => {},
): Promise<Error | null> {
  const { promise, resolve, reject } = Promise.withResolvers<Error | null>();
  const resume = () => source.resume();
  const fail = (error: Error) => {
    source.abort(error);
    reject(error);
  };
  const closed = () => fail(new Error('the output was closed before the source had ended'));
  stream.on('drain', resume).once('error', fail).once('close', closed);
  let untaken = 0;
  let end: { error: Error | null } | undefined;
  const finish = (error: Error | null) => {
    end = { error };
    if (untaken === 0 || stream.destroyed) resolve(error);
  };
  const taken = (failure?: Error | null) => {
    untaken -= 1;
    if (failure) stream.errored ? fail(failure) : closed();
    else if (end && untaken === 0) resolve(end.error);
  };
  source.receive({
    data(chunk) {
      onBytes(chunk.length);
      untaken += 1;
      if (!stream.write(chunk, taken)) source.pause();
    },
    end: () => finish(null),
    closed: finish,
  });
  return promise.finally(() => {
    stream.off('drain', resume).off('close', closed);
    // A write is told of its failure before the stream tells of it, which nobody else may be listening for.
    if (!stream.errored) stream.off('error', fail);
  });
}

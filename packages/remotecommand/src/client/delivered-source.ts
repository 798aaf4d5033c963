import type { ByteReceiver, ByteSource } from '@wherry/bytes';

/** A source that says when its end has reached the reader. */
export interface DeliveredSource {
  source: ByteSource;
  /** Settles with null once the reader was told `end`, or with why it was not. */
  delivered: Promise<Error | null>;
}

/**
 * Watches the one reader of `source`. When the source closes without an end, `isEnd` decides whether that is how this
 * peer ends a stream; the reader is then told `end` all the same.
 */
export function watchDelivery(
  source: ByteSource,
  isEnd: (error: Error) => Promise<boolean>,
): DeliveredSource {
  const { promise, resolve } = Promise.withResolvers<Error | null>();
  let hasEnded = false;
  const end = (receiver: ByteReceiver) => {
    hasEnded = true;
    receiver.end();
    resolve(null);
  };
  const close = async (receiver: ByteReceiver, error: Error | null) => {
    const isExcused = error !== null && !hasEnded && (await isEnd(error));
    if (isExcused) end(receiver);
    receiver.closed(hasEnded ? null : error);
    resolve(error);
  };
  return {
    delivered: promise,
    source: {
      closed: source.closed,
      pause: () => source.pause(),
      resume: () => source.resume(),
      abort: (error) => source.abort(error),
      receive: (receiver) =>
        source.receive({
          data: (chunk) => receiver.data(chunk),
          end: () => end(receiver),
          closed: (error) => close(receiver, error),
        }),
    },
  };
}

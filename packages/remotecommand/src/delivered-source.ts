import type { ByteSource } from '@wherry/bytes';

/** A source that says when its end has reached the reader. */
export interface DeliveredSource {
  source: ByteSource;
  /** Settles with null once the reader was told `end`, or with why it was not. */
  delivered: Promise<Error | null>;
}

/** Watches the one reader of `source`. */
export function watchDelivery(source: ByteSource): DeliveredSource {
  const { promise, resolve } = Promise.withResolvers<Error | null>();
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
          end() {
            receiver.end();
            resolve(null);
          },
          closed(error) {
            receiver.closed(error);
            resolve(error);
          },
        }),
    },
  };
}

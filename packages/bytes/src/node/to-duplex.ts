import { Duplex } from 'node:stream';
import type { ByteChannel } from '../channel.ts';
import { ChannelClosedError } from '../errors.ts';

/** Options of {@link toDuplex}. */
export interface ToDuplexOptions {
  /** Ends the channel with this reason. */
  signal?: AbortSignal | undefined;
}

/**
 * A Node duplex stream over a channel, for code that wants one. Becomes the channel's receiver. Half-open: each
 * direction ends for itself. Destroying it aborts the channel.
 */
export function toDuplex(channel: ByteChannel, options: ToDuplexOptions = {}): Duplex {
  const duplex = new Duplex({
    allowHalfOpen: true,
    ...(options.signal ? { signal: options.signal } : {}),
    read() {
      channel.resume();
    },
    write(chunk: Uint8Array, _encoding, done) {
      attempt(() => (channel.write(chunk) ? done() : channel.drained().then(() => done(), done)), done);
    },
    final(done) {
      attempt(() => {
        channel.end();
        done();
      }, done);
    },
    destroy(error, done) {
      channel.abort(error ?? new ChannelClosedError('closed', 'the stream over this channel was destroyed'));
      done(error);
    },
  });
  channel.receive({
    data(chunk) {
      if (!duplex.push(chunk)) channel.pause();
    },
    end() {
      duplex.push(null);
    },
    closed(error) {
      if (error) duplex.destroy(error);
    },
  });
  return duplex;
}

function attempt(action: () => void, failed: (error: Error) => void): void {
  try {
    action();
  } catch (error) {
    failed(error instanceof Error ? error : new Error(String(error)));
  }
}

import type { ByteSink } from '@wherry/bytes';
import { MonitorError } from '@wherry/monitor-api';
import { limits } from '../limits.ts';
import type { LogStream } from '../log/format.ts';

/** One client's ends; null where it did not ask for the stream. */
export type Attachment = Record<LogStream, ByteSink | null>;

/**
 * The clients attached to one container. Output goes to each at once and waits for none: a client that is too far
 * behind is dropped, the others and the log do not notice.
 */
export class Attachments {
  readonly #clients = new Set<Attachment>();

  add(client: Attachment): void {
    this.#clients.add(client);
  }

  remove(client: Attachment): void {
    this.#clients.delete(client);
  }

  /** Gives out a chunk; the array may change afterwards. */
  send(stream: LogStream, chunk: Uint8Array): void {
    if (this.#clients.size === 0) return;
    const copy = Uint8Array.from(chunk);
    for (const client of this.#clients) {
      const sink = client[stream];
      if (sink) this.#sendTo(client, sink, copy);
    }
  }

  #sendTo(client: Attachment, sink: ByteSink, chunk: Uint8Array): void {
    try {
      sink.write(chunk);
      if (sink.bufferedBytes > limits.attachBacklogBytesMax) this.#drop(client);
    } catch {
      this.#clients.delete(client);
    }
  }

  #drop(client: Attachment): void {
    this.#clients.delete(client);
    const error = new MonitorError(
      'resource_exhausted',
      `the client is more than ${limits.attachBacklogBytesMax} bytes behind the container's output`,
    );
    client.stdout?.abort(error);
    client.stderr?.abort(error);
  }
}

import type { ByteSink } from '@wherry/bytes';
import { MonitorError } from '@wherry/monitor-api';
import { limits } from '../limits.ts';
import type { LogStream } from '../log/format.ts';

/** One client's ends; null where it did not ask for the stream. */
export type Attachment = Record<LogStream, ByteSink | null>;

/** What is known of one client. */
interface Client {
  attachment: Attachment;
  /** Ends that have more queued than they should. */
  slow: Set<ByteSink>;
  /** It took nothing for a while: nobody waits for it any more. */
  isStalled: boolean;
  onDropped: (error: MonitorError) => void;
}

/**
 * The clients attached to one container. Output goes to each at the pace of the slowest that still reads. One that
 * takes nothing for {@link limits.attachPatienceMs} is no longer waited for, and dropped when it is too far behind, so
 * that it holds up the others, the log and the container for that long and no longer.
 */
export class Attachments {
  readonly #clients = new Map<Attachment, Client>();

  /** Adds a client; the promise settles with the reason if it is dropped. */
  add(attachment: Attachment): Promise<MonitorError> {
    const { promise, resolve } = Promise.withResolvers<MonitorError>();
    this.#clients.set(attachment, { attachment, slow: new Set(), isStalled: false, onDropped: resolve });
    return promise;
  }

  remove(attachment: Attachment): void {
    this.#clients.delete(attachment);
  }

  /** Gives out a chunk; the array may change afterwards. */
  send(stream: LogStream, chunk: Uint8Array): void {
    if (this.#clients.size === 0) return;
    const copy = Uint8Array.from(chunk);
    for (const client of this.#clients.values()) {
      const sink = client.attachment[stream];
      if (sink) this.#sendTo(client, sink, copy);
    }
  }

  /** Settles when the clients that read have taken enough to be sent more; null when nothing is to be waited for. */
  ready(): Promise<unknown> | null {
    const waits: Promise<void>[] = [];
    for (const client of this.#clients.values()) {
      if (client.isStalled) continue;
      for (const sink of client.slow) waits.push(this.#waitFor(client, sink));
    }
    return waits.length === 0 ? null : Promise.all(waits);
  }

  #sendTo(client: Client, sink: ByteSink, chunk: Uint8Array): void {
    try {
      if (!sink.write(chunk)) this.#noteSlow(client, sink);
      if (sink.bufferedBytes > limits.attachBacklogBytesMax) this.#drop(client);
    } catch {
      this.remove(client.attachment);
    }
  }

  #noteSlow(client: Client, sink: ByteSink): void {
    if (client.slow.has(sink)) return;
    client.slow.add(sink);
    const hasCaughtUp = () => {
      client.slow.delete(sink);
      if (client.slow.size === 0) client.isStalled = false;
    };
    sink.drained().then(hasCaughtUp, () => this.remove(client.attachment));
  }

  async #waitFor(client: Client, sink: ByteSink): Promise<void> {
    for (let before = Number.POSITIVE_INFINITY; sink.bufferedBytes < before; ) {
      before = sink.bufferedBytes;
      if (await isDrainedWithin(sink, limits.attachPatienceMs)) return;
    }
    client.isStalled = true;
  }

  #drop(client: Client): void {
    this.remove(client.attachment);
    client.onDropped(
      new MonitorError(
        'resource_exhausted',
        `the client is more than ${limits.attachBacklogBytesMax} bytes behind the container's output`,
      ),
    );
  }
}

/** True also for a sink that is gone: there is nothing to wait for. */
function isDrainedWithin(sink: ByteSink, timeoutMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), timeoutMs);
    const settle = () => {
      clearTimeout(timer);
      resolve(true);
    };
    sink.drained().then(settle, settle);
  });
}

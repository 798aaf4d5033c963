import type { ByteSink } from '@wherry/bytes';
import { MonitorError } from '@wherry/monitor-api';
import { limits } from '../limits.ts';
import type { LogStream } from '../log/format.ts';

/** One client's ends; null where it did not ask for the stream. */
export type Attachment = Record<LogStream, ByteSink | null>;

/** What is known of one client. */
interface Client {
  /** Its ends that are still open. */
  sinks: Attachment;
  /** Ends that have more queued than they should. */
  slow: Set<ByteSink>;
  /** It took nothing for a while: nobody waits for it any more. */
  isStalled: boolean;
  isAttached: boolean;
  onDropped: () => void;
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
    this.#clients.set(attachment, {
      sinks: { ...attachment },
      slow: new Set(),
      isStalled: false,
      isAttached: true,
      onDropped: () => {
        this.remove(attachment);
        resolve(tooFarBehind());
      },
    });
    return promise;
  }

  remove(attachment: Attachment): void {
    const client = this.#clients.get(attachment);
    if (client) client.isAttached = false;
    this.#clients.delete(attachment);
  }

  /** Gives out a chunk; the array may change afterwards. */
  send(stream: LogStream, chunk: Uint8Array): void {
    if (this.#clients.size === 0) return;
    const copy = Uint8Array.from(chunk);
    for (const client of this.#clients.values()) sendTo(client, stream, copy);
  }

  /** Settles when the clients that read have taken enough to be sent more; null when nothing is to be waited for. */
  ready(): Promise<unknown> | null {
    const waits: Promise<void>[] = [];
    for (const client of this.#clients.values()) {
      if (client.isStalled) continue;
      for (const sink of client.slow) waits.push(waitFor(client, sink));
    }
    return waits.length === 0 ? null : Promise.all(waits);
  }
}

function sendTo(client: Client, stream: LogStream, chunk: Uint8Array): void {
  const sink = client.sinks[stream];
  if (!sink) return;
  try {
    if (!sink.write(chunk)) noteSlow(client, stream, sink);
    if (sink.bufferedBytes > limits.attachBacklogBytesMax) client.onDropped();
  } catch {
    forget(client, stream, sink);
  }
}

function noteSlow(client: Client, stream: LogStream, sink: ByteSink): void {
  if (client.slow.has(sink)) return;
  client.slow.add(sink);
  const hasCaughtUp = () => {
    client.slow.delete(sink);
    if (client.slow.size === 0) client.isStalled = false;
  };
  sink.drained().then(hasCaughtUp, () => forget(client, stream, sink));
}

/** The client has closed this end; it may still want the other. */
function forget(client: Client, stream: LogStream, sink: ByteSink): void {
  client.sinks[stream] = null;
  client.slow.delete(sink);
}

/** Waits while the client takes something; one that has left, or that another wait found stalled, holds nothing up. */
async function waitFor(client: Client, sink: ByteSink): Promise<void> {
  let before = Number.POSITIVE_INFINITY;
  while (client.isAttached && !client.isStalled && sink.bufferedBytes < before) {
    before = sink.bufferedBytes;
    if (await isDrainedWithin(sink, limits.attachPatienceMs)) return;
  }
  client.isStalled = true;
}

function tooFarBehind(): MonitorError {
  return new MonitorError(
    'resource_exhausted',
    `the client is more than ${limits.attachBacklogBytesMax} bytes behind the container's output`,
  );
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

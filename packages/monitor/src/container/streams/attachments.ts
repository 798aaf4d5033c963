import type { Clock } from '@wherry/clock';
import type { LogStream } from '@wherry/cri/log';
import { MonitorError } from '@wherry/monitor-api';
import { limits } from '../../limits.ts';
import { AttachedClient, type Attachment } from './attached-client.ts';

/**
 * The clients attached to one container. Output goes to each at the pace of the slowest that still reads. While one
 * takes nothing its container is slowed down, never stopped; when that lasts for too long it is no longer waited for,
 * and dropped once it is too far behind.
 */
export class Attachments {
  readonly #clients = new Map<Attachment, AttachedClient>();
  readonly #clock: Clock;
  readonly #patienceMs: number;

  /** `patienceMs`: how long a client may take nothing before its container goes on without it. */
  constructor(clock: Clock, patienceMs: number) {
    this.#clock = clock;
    this.#patienceMs = patienceMs;
  }

  /** Adds a client; the promise settles with the reason if it is dropped. */
  add(attachment: Attachment): Promise<MonitorError> {
    const { promise, resolve } = Promise.withResolvers<MonitorError>();
    const onDropped = () => {
      this.remove(attachment);
      resolve(tooFarBehind());
    };
    this.#clients.set(
      attachment,
      new AttachedClient({ attachment, clock: this.#clock, patienceMs: this.#patienceMs, onDropped }),
    );
    return promise;
  }

  remove(attachment: Attachment): void {
    this.#clients.get(attachment)?.leave();
    this.#clients.delete(attachment);
  }

  /** Gives out a chunk; the array may change afterwards. */
  send(stream: LogStream, chunk: Uint8Array): void {
    if (this.#clients.size === 0) return;
    const copy = Uint8Array.from(chunk);
    for (const client of this.#clients.values()) client.send(stream, copy);
  }

  /** Settles when the clients that read have taken enough to be sent more; null when nothing is to be waited for. */
  ready(): Promise<unknown> | null {
    const waits = [...this.#clients.values()].map((client) => client.ready()).filter((wait) => wait !== null);
    return waits.length === 0 ? null : Promise.all(waits);
  }
}

function tooFarBehind(): MonitorError {
  return new MonitorError(
    'RESOURCE_EXHAUSTED',
    `the client is more than ${limits.attachBacklogBytesMax} bytes behind the container's output`,
  );
}

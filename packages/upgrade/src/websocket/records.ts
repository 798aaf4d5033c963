import type { Duplex } from 'node:stream';
import { TLSSocket } from 'node:tls';
import type { ByteChannel, ByteReceiver, WaitOptions } from '@wherry/bytes';
import { FrameEnds } from './frame-ends.ts';

type Done = (error?: Error | null) => void;
type Chunk = { chunk: Uint8Array; encoding: BufferEncoding };

/**
 * From here on the last of the writes to a TLS socket that are waiting together stands in records of its own. Clients that wait
 * for the socket before they read a frame (Kubernetes' for Python up to 36, Ansible's) otherwise never see a frame that their
 * TLS library has taken from the socket with the one before; while another record is waiting there, they do. False where there
 * is no TLS.
 */
export function writeApart(socket: Duplex): boolean {
  if (!(socket instanceof TLSSocket)) return false;
  const { _writev: writeAll, _write: writeOne } = socket;
  if (!writeAll) return true;
  Reflect.set(socket, '_writev', (chunks: Chunk[], done: Done) => {
    const last = chunks.at(-1);
    if (!last || chunks.length === 1) return writeAll.call(socket, chunks, done);
    const others = Object.assign(chunks.slice(0, -1), { allBuffers: Reflect.get(chunks, 'allBuffers') });
    return writeAll.call(socket, others, (error) => {
      if (error) done(error);
      else writeOne.call(socket, last.chunk, last.encoding, done);
    });
  });
  return true;
}

/** A client's end of a WebSocket that is passed on: it is seen who of the two sends a close frame first. */
export class FrameChannel implements ByteChannel {
  readonly closed: Promise<Error | null>;
  readonly #client: ByteChannel;
  readonly #isApart: boolean;
  readonly #written = new FrameEnds();
  readonly #read = new FrameEnds();
  #closedBy: 'client' | 'backend' | undefined;

  /** `isApart`: the last frame of what comes at once is a write of its own. */
  constructor(client: ByteChannel, { isApart }: { isApart: boolean }) {
    this.#client = client;
    this.#isApart = isApart;
    this.closed = client.closed;
  }

  /** Undefined while neither did. */
  get closedBy(): 'client' | 'backend' | undefined {
    return this.#closedBy;
  }

  get bufferedBytes(): number {
    return this.#client.bufferedBytes;
  }

  write(chunk: Uint8Array): boolean {
    const parts = this.#written.beforeLast(chunk);
    if (this.#written.hasClose) this.#closedBy ??= 'backend';
    let hasRoom = true;
    for (const part of this.#isApart ? parts : [chunk]) hasRoom = this.#client.write(part);
    return hasRoom;
  }

  receive(receiver: ByteReceiver): void {
    this.#client.receive({
      data: (chunk) => {
        this.#read.beforeLast(chunk);
        if (this.#read.hasClose) this.#closedBy ??= 'client';
        receiver.data(chunk);
      },
      end: () => receiver.end(),
      closed: (error) => receiver.closed(error),
    });
  }

  pause(): void {
    this.#client.pause();
  }

  resume(): void {
    this.#client.resume();
  }

  drained(options?: WaitOptions): Promise<void> {
    return this.#client.drained(options);
  }

  end(): void {
    this.#client.end();
  }

  abort(error: Error): void {
    this.#client.abort(error);
  }
}

import type { Duplex } from 'node:stream';
import { TLSSocket } from 'node:tls';
import type { ByteChannel, ByteReceiver, WaitOptions } from '@wherry/bytes';
import { framesApartMax } from '../limits.ts';
import { FrameEnds } from './frame-ends.ts';

/**
 * From here on each write to a TLS socket stands in records of its own, as a Go server's does: no two frames share one.
 * Clients that wait for the socket before they read a frame (Kubernetes' for Python up to 36, Ansible's) otherwise never
 * see the second, which their TLS library has taken from the socket with the first. False where there is no TLS.
 */
export function writeApart(socket: Duplex): boolean {
  if (!(socket instanceof TLSSocket)) return false;
  // A stream without it writes its queue one by one.
  Reflect.set(socket, '_writev', undefined);
  return true;
}

/** A client's end whose frames, which come in any pieces, are written one by one. */
export function frameByFrame(client: ByteChannel): ByteChannel {
  return new FrameChannel(client);
}

class FrameChannel implements ByteChannel {
  readonly closed: Promise<Error | null>;
  readonly #client: ByteChannel;
  readonly #ends = new FrameEnds();

  constructor(client: ByteChannel) {
    this.#client = client;
    this.closed = client.closed;
  }

  get bufferedBytes(): number {
    return this.#client.bufferedBytes;
  }

  write(chunk: Uint8Array): boolean {
    let hasRoom = true;
    for (const part of this.#ends.split(chunk, framesApartMax)) hasRoom = this.#client.write(part);
    return hasRoom;
  }

  receive(receiver: ByteReceiver): void {
    this.#client.receive(receiver);
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

import { once } from 'node:events';
import { connect, type TLSSocket } from 'node:tls';
import type { Credentials } from './pki.ts';
import type { TestServer } from './test-server.ts';

/** Types of frames (RFC 9113, section 6). */
export const frameTypes = { data: 0, headers: 1, reset: 3, settings: 4, goaway: 7, continuation: 9 } as const;
/** Flags of DATA and HEADERS. */
export const endStream = 1;
export const endHeaders = 4;

/** HTTP/2 frame by frame, for senders that keep to no rule. */
export class RawHttp2 {
  readonly socket: TLSSocket;
  /** Codes of GOAWAY frames. */
  readonly goaways: number[] = [];
  readonly closed: Promise<unknown>;
  #rest = Buffer.alloc(0);

  private constructor(socket: TLSSocket) {
    this.socket = socket;
    socket.on('error', () => {});
    this.closed = new Promise((resolve) => socket.once('close', resolve));
    socket.on('data', (chunk: Buffer) => this.#read(chunk));
    socket.write('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');
    this.send(frameTypes.settings, 0, 0);
  }

  static async open(server: TestServer, { cert, key }: Credentials = server.admin): Promise<RawHttp2> {
    const { port } = server.apiserver;
    const trust = { ca: server.authority.cert, cert, key };
    const socket = connect({ port, host: '127.0.0.1', ...trust, ALPNProtocols: ['h2'] });
    await once(socket, 'secureConnect');
    return new RawHttp2(socket);
  }

  send(type: number, flags: number, stream: number, payload: Uint8Array = Buffer.alloc(0)): boolean {
    const head = Buffer.alloc(9);
    head.writeUIntBE(payload.length, 0, 3);
    head[3] = type;
    head[4] = flags;
    head.writeUInt32BE(stream, 5);
    return this.socket.write(Buffer.concat([head, payload]));
  }

  #read(chunk: Buffer): void {
    this.#rest = Buffer.concat([this.#rest, chunk]);
    while (this.#rest.length >= 9) {
      const length = this.#rest.readUIntBE(0, 3);
      if (this.#rest.length < 9 + length) return;
      if (this.#rest[3] === frameTypes.goaway) this.goaways.push(this.#rest.readUInt32BE(13));
      this.#rest = this.#rest.subarray(9 + length);
    }
  }
}

/** A header block without compression: each a literal that no table takes up. */
export function headerBlock(headers: Record<string, string>): Buffer {
  const text = (value: string) => Buffer.concat([Buffer.from([value.length]), Buffer.from(value)]);
  return Buffer.concat(
    Object.entries(headers).flatMap(([name, value]) => [Buffer.from([0]), text(name), text(value)]),
  );
}

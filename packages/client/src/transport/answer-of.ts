import { PassThrough, pipeline, type Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { ownValue } from '@wherry/kubeapi/objects';
import type { HttpAnswer } from '../http/door.ts';

/** The head of an answer and its body, of either version of HTTP, as Node gives them. */
export interface ReceivedAnswer {
  status: number;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  body: Readable;
}

/** An answer as the door gives it, unpacked. */
export function answerOf({ status, headers, body }: ReceivedAnswer): HttpAnswer {
  const header = (name: string) => {
    const value = ownValue(headers, name);
    return Array.isArray(value) ? value.join(', ') : value;
  };
  const isPacked = header('content-encoding') === 'gzip';
  const length = header('content-length');
  const chunks = receivedChunks(body, length === undefined ? undefined : Number(length));
  return {
    ...{ status, header },
    body: isPacked ? pipeline(chunks, createGunzip(), new PassThrough(), () => {}) : chunks,
    cancel: () => void body.destroy(),
  };
}

/**
 * The chunks of an answer, to its end; leaving the loop early ends the exchange. Throws what tore it, unless all that its head promised
 * has arrived. Node's own loop (24) takes an HTTP/2 stream that closed before its reader came for torn, though all of it waits to be read.
 */
async function* receivedChunks(body: Readable, lengthBytes: number | undefined): AsyncGenerator<Uint8Array> {
  let wake = () => {};
  const onChange = () => wake();
  const changes = ['readable', 'end', 'error', 'close'];
  for (const change of changes) body.on(change, onChange);
  let receivedBytes = 0;
  try {
    for (;;) {
      // Of a stream that is gone, what it still holds, if that is all that was missing.
      const isLost = body.destroyed && receivedBytes + body.readableLength !== lengthBytes;
      const chunk: Uint8Array | null = isLost ? null : body.read();
      if (chunk !== null) {
        receivedBytes += chunk.length;
        yield chunk;
      } else if (body.readableEnded) return;
      else if (body.destroyed) {
        if (receivedBytes === lengthBytes) return;
        throw body.errored ?? new Error('it was closed before its end');
      } else await new Promise<void>((resolve) => (wake = resolve));
    }
  } finally {
    for (const change of changes) body.off(change, onChange);
    body.destroy();
  }
}

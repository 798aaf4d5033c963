import type { IncomingMessage } from 'node:http';
import { PassThrough, pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { ClientError } from '../errors.ts';

/** Reads a whole answer, unpacked. Throws `ClientError` `bad-answer` when it is longer than `bytesMax` or torn. */
export async function readBody(response: IncomingMessage, bytesMax: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of unpacked(response)) {
      length += chunk.length;
      if (length > bytesMax)
        throw new ClientError('bad-answer', `the answer is longer than ${bytesMax} bytes`);
      chunks.push(chunk);
    }
  } catch (error) {
    if (error instanceof ClientError) throw error;
    throw new ClientError('bad-answer', `the answer was cut short: ${(error as Error).message}`, {
      cause: error,
    });
  }
  return Buffer.concat(chunks, length);
}

function unpacked(response: IncomingMessage): AsyncIterable<Buffer> {
  if (response.headers['content-encoding'] !== 'gzip') return response;
  return pipeline(response, createGunzip(), new PassThrough(), () => {});
}

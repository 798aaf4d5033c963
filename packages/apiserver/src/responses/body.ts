import type { ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { setImmediate as turn } from 'node:timers/promises';
import { constants, createGzip } from 'node:zlib';
import { carrierOf } from '../http/carrier.ts';
import { takesGzip } from '../http/content.ts';
import { contentTypeOf, type MediaType } from '../http/negotiation.ts';
import { limits } from '../limits.ts';

/** What stands above a body. */
export interface BodyOptions {
  response: ServerResponse & Heard;
  media: MediaType;
  code: number;
}

const heardBy = Symbol('who hears of the body');

interface Heard {
  [heardBy]?: (bytes: number) => void;
}

/** Hears how long the body of an answer is, as it is sent: compressed where it is. */
export function onBodySent(response: ServerResponse & Heard, listener: (bytes: number) => void): void {
  response[heardBy] = listener;
}

/**
 * Answers with a body, which is compressed when it is long and the client takes that (upstream:
 * endpoints/handlers/responsewriters). Resolves when all is written, or the client is gone; never rejects. Where there is
 * an answer already, since the request's time was over, this one goes nowhere.
 */
export async function sendBody(parts: readonly Uint8Array[], options: BodyOptions): Promise<void> {
  const { response, media, code } = options;
  if (response.headersSent) return;
  const length = parts.reduce((sum, { byteLength }) => sum + byteLength, 0);
  const isPacked = length > limits.unpackedBytesMax && takesGzip(response.req.headers);
  // Added to what Vary says already.
  if (isPacked) response.appendHeader('vary', 'Accept-Encoding');
  response.writeHead(code, {
    'content-type': contentTypeOf(media),
    ...(isPacked ? { 'content-encoding': 'gzip' } : { 'content-length': length }),
    'cache-control': 'no-cache, private',
  });
  if (isPacked) return writePacked(parts, response);
  response[heardBy]?.(length);
  return write(parts, response);
}

async function write(parts: readonly Uint8Array[], response: ServerResponse): Promise<void> {
  const last = parts.length - 1;
  for (const part of parts.slice(0, last)) {
    response.write(part);
    // Encrypting is work of this thread.
    await turn();
    if (carrierOf(response.req).destroyed) return;
  }
  response.end(parts[last]);
}

/** Fast rather than small, as upstream; it is not the work of this thread. */
async function writePacked(parts: readonly Uint8Array[], response: ServerResponse & Heard): Promise<void> {
  let length = 0;
  async function* counted(packed: AsyncIterable<Uint8Array>) {
    for await (const part of packed) {
      length += part.byteLength;
      yield part;
    }
  }
  try {
    await pipeline(parts, createGzip({ level: constants.Z_BEST_SPEED }), counted, response);
    response[heardBy]?.(length);
  } catch (error) {
    response.destroy(error as Error);
  }
}

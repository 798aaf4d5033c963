import type { IncomingMessage } from 'node:http';
import { badRequest, requestEntityTooLarge, type StatusError } from '@wherry/kubeapi';
import { limits } from '../limits.ts';
import { isWhole } from './carrier.ts';

const tooLarge = (): StatusError => requestEntityTooLarge(`limit is ${limits.requestBodyBytesMax}`);
const endedEarly = (): StatusError => badRequest("the request's body ended early");

/** A property, since a WeakMap of what lives as short as requests do costs more to clear than all else that is noted of them. */
const heardBy = Symbol('who hears of the body');

interface Heard {
  [heardBy]?: (bytes: number) => void;
}

/** Hears how long the body of a request is, once it was read. */
export function onBodyRead(request: IncomingMessage & Heard, listener: (bytes: number) => void): void {
  request[heardBy] = listener;
}

/**
 * The whole body. Throws 413 as soon as it is known to be longer than `limits.requestBodyBytesMax`; what is still on
 * its way is not kept.
 */
export async function readBody(request: IncomingMessage & Heard): Promise<Buffer> {
  if (Number(request.headers['content-length'] ?? 0) > limits.requestBodyBytesMax) throw tooLarge();
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const chunks: Buffer[] = [];
  let size = 0;
  request.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size > limits.requestBodyBytesMax) reject(tooLarge());
    else chunks.push(chunk);
  });
  // Over HTTP/2 a body that was broken off ends like any other.
  request.on('end', () => {
    if (!isWhole(request)) return reject(endedEarly());
    request[heardBy]?.(size);
    resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks));
  });
  request.on('error', (error) => reject(badRequest(`reading the request's body: ${error.message}`, error)));
  request.on('close', () => {
    if (!isWhole(request)) reject(endedEarly());
  });
  return promise;
}

import type { IncomingMessage } from 'node:http';
import { badRequest, requestEntityTooLarge, type StatusError } from '@wherry/kubeapi';
import { limits } from '../limits.ts';
import { isWhole } from './carrier.ts';

const tooLarge = (): StatusError => requestEntityTooLarge(`limit is ${limits.requestBodyBytesMax}`);
const endedEarly = (): StatusError => badRequest("the request's body ended early");

const listeners = new WeakMap<IncomingMessage, (bytes: number) => void>();

/** Hears how long the body of a request is, once it was read. */
export function onBodyRead(request: IncomingMessage, listener: (bytes: number) => void): void {
  listeners.set(request, listener);
}

/**
 * The whole body. Throws 413 as soon as it is known to be longer than `limits.requestBodyBytesMax`; what is still on
 * its way is not kept.
 */
export async function readBody(request: IncomingMessage): Promise<Buffer> {
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
    listeners.get(request)?.(size);
    resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks));
  });
  request.on('error', (error) => reject(badRequest(`reading the request's body: ${error.message}`, error)));
  request.on('close', () => {
    if (!isWhole(request)) reject(endedEarly());
  });
  return promise;
}

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from '@wherry/clock';
import { limits, periods } from '../limits.ts';
import { carrierOf, cutOff, isShared, isWhole, keepReading } from './carrier.ts';

/**
 * Ends the connection, over HTTP/2 the stream, of a request whose body is not there within `periods.requestBodyMs`: a slow sender would
 * otherwise keep its place among the requests in progress. Call the result when the request is over.
 */
export function limitBodyTime(http: IncomingMessage, clock: Clock): () => void {
  const timer = clock.after(periods.requestBodyMs, () => {
    if (!isWhole(http)) carrierOf(http).destroy();
  });
  return () => timer.cancel();
}

/**
 * The rest of a body that nobody wants is read and dropped for a moment, since a client that is still sending would
 * otherwise see a reset in place of the answer; then the connection ends, or over HTTP/2 the request's stream.
 */
export function discardBody(http: IncomingMessage, response: ServerResponse, clock: Clock): void {
  if (isWhole(http) || carrierOf(http).destroyed) return;
  const ends = !response.headersSent && !isShared(http);
  if (ends) {
    response.setHeader('connection', 'close');
    keepReading(http);
  }
  let left: number = limits.discardedBodyBytesMax;
  const timer = clock.after(periods.discardedBodyMs, () => carrierOf(http).destroy());
  http.on('error', () => {});
  http.on('data', (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0) cutOff(http);
  });
  const over = () => timer.cancel();
  // A connection that ends waits for its client to end it, too.
  if (ends) http.socket.once('close', over);
  else http.once('close', over).once('end', over);
  http.resume();
}

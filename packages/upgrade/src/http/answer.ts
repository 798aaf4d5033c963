import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { refusalWriteTimeoutMs } from '../limits.ts';

/** An HTTP answer that is no upgrade. */
export interface HttpAnswer {
  statusCode: number;
  /** Name and value of each line, in order; a name may repeat. */
  headers: readonly (readonly [name: string, value: string])[];
  body: string | Uint8Array;
}

/** An answer as Go's `http.Error` gives it: one line of plain text. */
export function plainTextAnswer(
  statusCode: number,
  text: string,
  headers: HttpAnswer['headers'] = [],
): HttpAnswer {
  return {
    statusCode,
    headers: [
      ...headers,
      ['Content-Type', 'text/plain; charset=utf-8'],
      ['X-Content-Type-Options', 'nosniff'],
    ],
    body: `${text}\n`,
  };
}

/** The bytes of an answer, with its length and `Connection: close`. */
export function encodeAnswer({ statusCode, headers, body }: HttpAnswer): Buffer {
  const content = typeof body === 'string' ? Buffer.from(body) : body;
  const lines = [
    `HTTP/1.1 ${statusCode} ${STATUS_CODES[statusCode] ?? ''}`,
    ...headers.map(([name, value]) => `${name}: ${value}`),
    `Content-Length: ${content.length}`,
    'Connection: close',
  ];
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), content]);
}

/**
 * Writes `bytes` and closes the socket in order; what the client still sends is thrown away. A client that does not
 * take the answer within 10 s is cut off.
 */
export function finishWith(socket: Duplex, bytes: Uint8Array): void {
  socket.on('error', () => {});
  if (socket.destroyed) return;
  const deadline = setTimeout(() => socket.destroy(), refusalWriteTimeoutMs).unref();
  socket.once('close', () => clearTimeout(deadline));
  socket.end(bytes);
  socket.resume();
}

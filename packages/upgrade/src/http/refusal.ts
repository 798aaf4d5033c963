import type { IncomingMessage } from 'node:http';
import { refusalBodyBytesMax, refusalBodyTimeoutMs } from '../limits.ts';

/** Reads a refusing answer's body as text: at most 64 KiB, at most 10 s; a body that breaks off is taken as it is. */
export function readRefusal(response: IncomingMessage): Promise<string> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const finish = () => {
      clearTimeout(deadline);
      resolve(Buffer.concat(chunks).subarray(0, refusalBodyBytesMax).toString());
      response.destroy();
    };
    const deadline = setTimeout(finish, refusalBodyTimeoutMs);
    response.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes >= refusalBodyBytesMax) finish();
    });
    response.once('end', finish);
    response.once('error', finish);
    response.once('close', finish);
  });
}

function jsonField(body: string, names: readonly string[]): string | undefined {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    return undefined;
  }
  if (typeof value !== 'object' || value === null) return undefined;
  const fields = new Map(Object.entries(value));
  for (const name of names) {
    const field: unknown = fields.get(name);
    if (typeof field === 'string' && field !== '') return field;
  }
  return undefined;
}

/**
 * What a refused SPDY upgrade says to people: the JSON field `message` (a Status), else `error`, else the trimmed
 * body, else `empty server response` (client-go, httpstream/spdy roundtripper).
 */
export function spdyRefusalText(body: string): string {
  return jsonField(body, ['message', 'error']) ?? (body.trim() || 'empty server response');
}

/** What a refused WebSocket handshake says to people (client-go, transport/websocket roundtripper). */
export function webSocketRefusalText(statusCode: number, statusText: string, body: string): string {
  const message = jsonField(body, ['message']);
  if (message) return `unable to upgrade streaming request: ${message}`;
  const tail = body.trim() === '' ? '' : `: ${body.trim()}`;
  return `websocket: bad handshake (${statusCode} ${statusText})${tail}`;
}

import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';

/** What `http.Server` hands to its `upgrade` listener: the request, its socket, and bytes already read behind it. */
export interface UpgradeExchange {
  request: IncomingMessage;
  socket: Duplex;
  head: Buffer;
}

/** Values of every line of a request header, in order. Names are compared in any case. */
export function headerLines(request: Pick<IncomingMessage, 'rawHeaders'>, name: string): string[] {
  const lines: string[] = [];
  const wanted = name.toLowerCase();
  for (let index = 0; index + 1 < request.rawHeaders.length; index += 2) {
    if (request.rawHeaders[index]?.toLowerCase() === wanted) lines.push(request.rawHeaders[index + 1] ?? '');
  }
  return lines;
}

/** The entries of comma-separated header lines, trimmed, blanks left out. */
export function commaSeparated(lines: readonly string[]): string[] {
  return lines
    .flatMap((line) => line.split(','))
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
}

/** True when any `Connection` line speaks of an upgrade, in any case. */
export function isUpgradeRequest(request: Pick<IncomingMessage, 'rawHeaders'>): boolean {
  return headerLines(request, 'connection').some((line) => line.toLowerCase().includes('upgrade'));
}

/** True for an upgrade whose first `Upgrade` line is `websocket`. */
export function isWebSocketRequest(request: Pick<IncomingMessage, 'rawHeaders'>): boolean {
  return isUpgradeRequest(request) && headerLines(request, 'upgrade')[0]?.toLowerCase() === 'websocket';
}

/** The sub-protocols a WebSocket request asks for: the entries of its first `Sec-WebSocket-Protocol` line. */
export function webSocketProtocols(request: Pick<IncomingMessage, 'rawHeaders'>): string[] {
  return commaSeparated(headerLines(request, 'sec-websocket-protocol').slice(0, 1));
}

/** First entry of the client's list that the server knows too; '' counts as a name, undefined means none. */
export function firstCommon(client: readonly string[], server: readonly string[]): string | undefined {
  return client.find((name) => server.includes(name));
}

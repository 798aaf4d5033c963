import type { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { onAbort } from '@wherry/bytes';
import type { Clock } from '@wherry/clock';
import { WebSocket } from 'ws';
import { UpgradeError } from '../errors.ts';
import { readRefusal, webSocketRefusalText } from '../http/refusal.ts';
import {
  isSecure,
  type TransportOptions,
  transportOptions,
  type UpgradeTarget,
  unreachable,
} from '../http/target.ts';
import {
  clientSilenceTimeoutMs,
  closeTimeoutMs,
  keepAliveDelayMs,
  messageBytesMax,
  pingIntervalMs,
} from '../limits.ts';
import type { MessageSocket } from './message-socket.ts';
import { WebSocketMessages } from './messages.ts';

const bunsWebSocket =
  'Bun puts a WebSocket of its own in the place of ws, which cannot offer the sub-protocols of Kubernetes; use SPDY';

/** What {@link dialWebSocket} is given. */
export interface DialWebSocketOptions extends UpgradeTarget {
  /** Offered in this order. Ask for at least one: Go servers answer none with an empty header. */
  protocols: readonly string[];
  clock?: Clock | undefined;
  /** Default 5 s. */
  pingIntervalMs?: number | undefined;
  /** Silence that ends the connection: no data, no pong. Default 61 s. */
  silenceTimeoutMs?: number | undefined;
}

/**
 * Opens a WebSocket. Follows no redirect. Rejects with {@link UpgradeError}: `refused` for any answer but 101,
 * `protocol` when the server upgraded to something else, or chose a sub-protocol that was not offered (or none), and in Bun,
 * `unreachable` without an answer; with `signal.reason` when aborted.
 */
export async function dialWebSocket(options: DialWebSocketOptions): Promise<MessageSocket> {
  options.signal?.throwIfAborted();
  if (process.versions['bun'] !== undefined) throw new UpgradeError('protocol', bunsWebSocket);
  const webSocket = openWebSocket(options, await transportOptions(options));
  const leave = onAbort(options.signal, () => webSocket.terminate());
  try {
    return await opened(webSocket, options);
  } catch (error) {
    webSocket.terminate();
    options.signal?.throwIfAborted();
    throw unreachable(error);
  } finally {
    leave();
  }
}

/** ws refuses sub-protocol names that are no RFC 7230 tokens, such as the tunnel's: we send and check the header. */
function openWebSocket(options: DialWebSocketOptions, transport: TransportOptions): WebSocket {
  const url = new URL(options.url);
  url.protocol = isSecure(url) ? 'wss:' : 'ws:';
  const offer =
    options.protocols.length === 0 ? {} : { 'Sec-WebSocket-Protocol': options.protocols.join(',') };
  const settings = {
    headers: { ...options.headers, ...offer } as Record<string, string>,
    perMessageDeflate: false,
    followRedirects: false,
    maxPayload: messageBytesMax,
    skipUTF8Validation: true,
    closeTimeout: closeTimeoutMs,
    ...transport,
  };
  return new WebSocket(url, settings as ConstructorParameters<typeof WebSocket>[2]);
}

function opened(webSocket: WebSocket, options: DialWebSocketOptions): Promise<MessageSocket> {
  return new Promise((resolve, reject) => {
    let socket: Duplex | undefined;
    let protocol = '';
    webSocket.on('upgrade', (response) => {
      socket = response.socket;
      protocol = response.headers['sec-websocket-protocol']?.trim() ?? '';
      delete response.headers['sec-websocket-protocol'];
    });
    webSocket.once('open', () => {
      if (!socket) return reject(new Error('the WebSocket opened without a socket'));
      if (socket instanceof Socket) socket.setKeepAlive(true, keepAliveDelayMs);
      if (!isOffered(protocol, options.protocols)) return reject(wrongProtocol(protocol, options.protocols));
      resolve(
        new WebSocketMessages({
          webSocket,
          socket,
          protocol,
          role: 'client',
          clock: options.clock,
          pingIntervalMs: options.pingIntervalMs ?? pingIntervalMs,
          silenceTimeoutMs: options.silenceTimeoutMs ?? clientSilenceTimeoutMs,
        }),
      );
    });
    webSocket.once('unexpected-response', (_request, response) => {
      refusalOf(response).then(reject, reject);
    });
    webSocket.on('error', (error) => reject(socket ? badHandshake(error) : error));
  });
}

/** An answer of 101 that opens no WebSocket, as servers give that know no other upgrade than SPDY. */
function badHandshake(error: Error): UpgradeError {
  const text = `websocket: bad handshake: ${error.message}`;
  return new UpgradeError('protocol', text, { statusCode: 101, cause: error });
}

function isOffered(protocol: string, offered: readonly string[]): boolean {
  return offered.includes(protocol) || (offered.length === 0 && protocol === '');
}

async function refusalOf(response: IncomingMessage): Promise<UpgradeError> {
  const { statusCode = 0, statusMessage = '' } = response;
  const body = await readRefusal(response);
  return new UpgradeError('refused', webSocketRefusalText(statusCode, statusMessage, body), {
    statusCode,
    body,
  });
}

function wrongProtocol(got: string, offered: readonly string[]): UpgradeError {
  const names = offered.map((name) => JSON.stringify(name)).join(' ');
  const text = `invalid protocol, expected one of [${names}], got ${JSON.stringify(got)}`;
  return new UpgradeError('protocol', text, { statusCode: 101 });
}

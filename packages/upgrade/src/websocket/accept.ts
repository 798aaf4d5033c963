import { Socket } from 'node:net';
import type { Clock } from '@wherry/clock';
import type { WebSocket } from 'ws';
import { WebSocketServer } from 'ws';
import { UpgradeError } from '../errors.ts';
import { encodeAnswer, finishWith, plainTextAnswer } from '../http/answer.ts';
import {
  firstCommon,
  headerLines,
  isWebSocketRequest,
  type UpgradeExchange,
  webSocketProtocols,
} from '../http/exchange.ts';
import {
  closeTimeoutMs,
  idleTimeoutMs,
  keepAliveDelayMs,
  messageBytesMax,
  pingIntervalMs,
} from '../limits.ts';
import type { MessageSocket } from './message-socket.ts';
import { WebSocketMessages } from './messages.ts';
import { writeApart } from './records.ts';

/** What {@link acceptWebSocket} is given. */
export interface AcceptWebSocketOptions extends UpgradeExchange {
  /** What the server speaks; '' admits clients that ask for nothing. The client's order decides. */
  protocols: readonly string[];
  /** The answer to give whatever the client asks for, as a proxy whose backend has chosen. */
  chosenProtocol?: string | undefined;
  /** What a handshake that is none the worse is answered with all the same: a status alone. Default: nothing. */
  refusal?: 400 | 403 | undefined;
  clock?: Clock | undefined;
  /** Default 5 s. */
  pingIntervalMs?: number | undefined;
  /** Silence that ends the connection; pongs break it. Default 4 h. */
  idleTimeoutMs?: number | undefined;
  /** How long {@link MessageSocket.close} waits for the client to take what is queued. Default 30 s. */
  closeTimeoutMs?: number | undefined;
}

/** What Go's x/net/websocket server answers when nothing matches: no headers, no body, closed. Clients fall back on it. */
const bareAnswers = { 400: 'HTTP/1.1 400 Bad Request\r\n\r\n', 403: 'HTTP/1.1 403 Forbidden\r\n\r\n' };

/**
 * Answers a WebSocket handshake. Never sends an empty `Sec-WebSocket-Protocol`. Throws {@link UpgradeError}
 * (`refused`) after it has answered and closed the socket: 405 for a method other than GET, 400 for a broken
 * handshake, a bare 403 when no sub-protocol matches.
 */
export function acceptWebSocket(options: AcceptWebSocketOptions): MessageSocket {
  const { request, socket, head, protocols } = options;
  checkHandshake(options);
  const refuse = (statusCode: 400 | 403, reason: string) => {
    finishWith(socket, new TextEncoder().encode(bareAnswers[statusCode]));
    return new UpgradeError('refused', reason, { statusCode });
  };
  if (options.refusal) throw refuse(options.refusal, 'the handshake was refused');
  const asked = webSocketProtocols(request);
  const protocol = options.chosenProtocol ?? firstCommon(asked.length === 0 ? [''] : asked, protocols);
  if (protocol === undefined) {
    const reason = `requested protocol(s) are not supported: [${asked.join(' ')}]; supports [${protocols.join(' ')}]`;
    throw refuse(403, reason);
  }
  if (socket instanceof Socket) socket.setKeepAlive(true, keepAliveDelayMs);
  writeApart(socket);
  const webSocket = handshake(options, protocol, head);
  return new WebSocketMessages({
    webSocket,
    socket,
    protocol,
    role: 'server',
    clock: options.clock,
    pingIntervalMs: options.pingIntervalMs ?? pingIntervalMs,
    silenceTimeoutMs: options.idleTimeoutMs ?? idleTimeoutMs,
  });
}

function checkHandshake({ request, socket }: UpgradeExchange): void {
  const refuse = (statusCode: number, reason: string) => {
    finishWith(socket, encodeAnswer(plainTextAnswer(statusCode, reason)));
    throw new UpgradeError('refused', reason, { statusCode });
  };
  if (request.method !== 'GET') refuse(405, 'bad method');
  if (!isWebSocketRequest(request)) refuse(400, 'not websocket protocol');
  const key = headerLines(request, 'sec-websocket-key')[0]?.trim() ?? '';
  if (!/^[+/0-9A-Za-z]{22}==$/.test(key)) refuse(400, 'mismatch challenge/response');
  if (headerLines(request, 'sec-websocket-version')[0]?.trim() !== '13')
    refuse(400, 'missing or bad WebSocket Version');
}

/**
 * The handshake proper. ws refuses sub-protocol names that are no RFC 7230 tokens, and the tunnel's name has a slash:
 * so the choice was made above, and ws sees no sub-protocol at all.
 */
function handshake(options: AcceptWebSocketOptions, protocol: string, head: Buffer): WebSocket {
  const settings = {
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: messageBytesMax,
    skipUTF8Validation: true,
    closeTimeout: options.closeTimeoutMs ?? closeTimeoutMs,
  };
  const server = new WebSocketServer(settings);
  if (protocol !== '') server.on('headers', (lines) => lines.push(`Sec-WebSocket-Protocol: ${protocol}`));
  const request = Object.create(options.request, {
    headers: { value: { ...options.request.headers, 'sec-websocket-protocol': undefined } },
  }) as UpgradeExchange['request'];
  let accepted: WebSocket | undefined;
  server.handleUpgrade(request, options.socket, head, (webSocket) => {
    accepted = webSocket;
  });
  if (!accepted) throw new UpgradeError('refused', 'the WebSocket handshake was broken', { statusCode: 400 });
  return accepted;
}

import { encodeAnswer, finishWith, plainTextAnswer } from '../http/answer.ts';
import { isWebSocketRequest, type UpgradeExchange, webSocketProtocols } from '../http/exchange.ts';
import { adoptSocket } from '../http/sockets.ts';
import { idleTimeoutMs } from '../limits.ts';
import { isSpdy, spdyUpgradeToken, streamProtocolHeader } from '../spdy/accept.ts';
import { acceptWebSocket } from '../websocket/accept.ts';
import { spdyOverWebSocket, tunnelPrefix } from '../websocket/tunnel.ts';
import type { UpgradedBackend } from './backend-answer.ts';
import type { ProxyOutcome, ProxyUpgradeOptions } from './contract.ts';
import { aheadHeaders, backendHeaders } from './headers.ts';
import { joinChannels } from './join.ts';
import { missingHeaders, passOn } from './pass-on.ts';
import { refuse } from './refusal.ts';
import { replyAhead } from './reply-ahead-channel.ts';
import { meteredClient, spokenProtocol } from './told-session.ts';

/** The SPDY sub-protocols that a WebSocket request wants to speak through a tunnel. */
function tunnelledProtocols(request: UpgradeExchange['request']): string[] {
  return webSocketProtocols(request)
    .filter((name) => name.startsWith(tunnelPrefix) && name.endsWith('.k8s.io'))
    .map((name) => name.slice(tunnelPrefix.length));
}

/** True for a WebSocket request that names a `SPDY/3.1+….k8s.io` sub-protocol. */
export function wantsTunnel(request: UpgradeExchange['request']): boolean {
  return isWebSocketRequest(request) && tunnelledProtocols(request).length > 0;
}

/** The client's header lines for a SPDY request: without what belongs to its WebSocket. */
function spdyHeaders(options: ProxyUpgradeOptions, protocols: readonly string[]): string[] {
  const lines = backendHeaders(options.request, {
    ...options.backend.headers,
    ...aheadHeaders(options),
    Connection: 'Upgrade',
    Upgrade: spdyUpgradeToken,
  });
  const kept: string[] = [];
  for (let index = 0; index + 1 < lines.length; index += 2) {
    const name = lines[index] ?? '';
    if (!/^(sec-websocket-.*|content-length)$/i.test(name)) kept.push(name, lines[index + 1] ?? '');
  }
  return [
    ...kept,
    ...protocols.flatMap((protocol) => [streamProtocolHeader, protocol]),
    'Content-Length',
    '0',
  ];
}

/**
 * Ends a WebSocket tunnel: a client that speaks SPDY inside a WebSocket is joined to a backend that speaks plain SPDY.
 * The WebSocket is accepted only after the backend's 101, so a refusal reaches the client with status and body.
 * `statusCode` is the label of `…_stream_tunnel_requests_total`. Resolves when all is over; never rejects.
 */
export async function tunnelUpgrade(options: ProxyUpgradeOptions): Promise<ProxyOutcome> {
  const { request, socket } = options;
  const protocols = tunnelledProtocols(request);
  if (protocols.length === 0) {
    const reason = 'unable to upgrade: no tunneling spdy protocols provided';
    finishWith(socket, encodeAnswer(plainTextAnswer(400, reason)));
    options.session?.end({ reason: 'refused', statusCode: 400, message: reason });
    return { statusCode: 400, bytesFromClient: 0, bytesFromBackend: 0, error: new Error(reason) };
  }
  return passOn(options, {
    method: 'POST',
    lines: spdyHeaders(options, protocols),
    join: (answer) => join(options, answer),
  });
}

async function join(options: ProxyUpgradeOptions, answer: UpgradedBackend): Promise<ProxyOutcome> {
  const { headers } = answer.response;
  if (!isSpdy(answer.response)) {
    answer.socket.destroy();
    return refuse(options, missingHeaders());
  }
  const chosen = headers['x-stream-protocol-version'];
  const webSocket = acceptWebSocket({
    ...options,
    protocols: [],
    chosenProtocol: typeof chosen === 'string' ? `${tunnelPrefix}${chosen}` : '',
    closeTimeoutMs: options.idleTimeoutMs ?? idleTimeoutMs,
  });
  const backend = adoptSocket(answer.socket, answer.head);
  const tunnel = spdyOverWebSocket(webSocket);
  const { repliesAhead: ahead, clock } = options;
  const client = ahead ? replyAhead(tunnel, { ...ahead, clock }) : tunnel;
  const spoken = typeof chosen === 'string' ? chosen : '';
  options.session?.joined({
    client: spokenProtocol('websocket', `${tunnelPrefix}${spoken}`),
    backend: spokenProtocol('spdy', spoken),
  });
  const metered = meteredClient(options.session, { client, backend });
  const joined = await joinChannels({ ...options, client: metered, backend });
  return { statusCode: 101, ...joined };
}

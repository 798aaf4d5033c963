import type { IncomingMessage } from 'node:http';
import { headerLines } from '../http/exchange.ts';
import { adoptSocket } from '../http/sockets.ts';
import { isSpdy, streamProtocolHeader } from '../spdy/accept.ts';
import { FrameChannel, writeApart } from '../websocket/records.ts';
import type { ProxyOutcome, ProxyUpgradeOptions } from './contract.ts';
import { aheadHeaders, backendHeaders, upgradedHead } from './headers.ts';
import { joinChannels } from './join.ts';
import { passOn } from './pass-on.ts';
import { replyAhead } from './reply-ahead-channel.ts';
import { meteredClient, spokenProtocol } from './told-session.ts';

/**
 * Passes an upgrade on as it is: the client's request line and headers (without its credentials) to the backend, the
 * backend's answer back, and after a real 101 every byte both ways with half-close, until both directions have ended.
 *
 * A refusal (400 and above) is relayed with its body; anything else but 101, redirects above all, becomes a 500 and is
 * neither followed nor relayed (CVE-2020-8559). The backend gets nothing from the client before its 101
 * (CVE-2018-1002105). Resolves when all is over; never rejects.
 */
export async function proxyUpgrade(options: ProxyUpgradeOptions): Promise<ProxyOutcome> {
  const { request, socket, head, backend } = options;
  return passOn(options, {
    method: request.method ?? 'GET',
    lines: backendHeaders(request, { ...backend.headers, ...(isSpdy(request) && aheadHeaders(options)) }),
    async join(answer) {
      const client = adoptSocket(socket, head, options.keepAliveDelayMs);
      const target = adoptSocket(answer.socket, answer.head, options.keepAliveDelayMs);
      client.write(upgradedHead(answer.response));
      const ahead = isSpdy(answer.response) ? options.repliesAhead : undefined;
      const frames = isWebSocket(answer.response)
        ? new FrameChannel(client, { isApart: writeApart(socket) })
        : undefined;
      const answering = ahead ? replyAhead(client, { ...ahead, clock: options.clock }) : (frames ?? client);
      const spoken = protocolOf(answer.response);
      options.session?.joined({ client: spoken, backend: spoken });
      const sides = { client: answering, backend: target };
      const joined = { ...options, ...sides, client: meteredClient(options.session, sides) };
      const passed = await joinChannels(joined);
      // A server of WebSockets is the first to end the connection, whoever closed it.
      return { statusCode: 101, ...passed, endedBy: frames?.closedBy ?? passed.endedBy };
    },
  });
}

const isWebSocket = (response: IncomingMessage): boolean =>
  response.headers.upgrade?.toLowerCase() === 'websocket';

/** What a backend said that it speaks. */
function protocolOf(response: IncomingMessage): string {
  const transport = isSpdy(response) ? 'spdy' : 'websocket';
  const header = transport === 'spdy' ? streamProtocolHeader : 'sec-websocket-protocol';
  return spokenProtocol(transport, headerLines(response, header)[0] ?? '');
}

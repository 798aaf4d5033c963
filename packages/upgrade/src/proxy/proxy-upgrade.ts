import type { Duplex } from 'node:stream';
import type { Clock } from '@wherry/clock';
import type { HttpAnswer } from '../http/answer.ts';
import type { UpgradeExchange } from '../http/exchange.ts';
import { adoptSocket } from '../http/sockets.ts';
import type { TlsClientOptions } from '../http/target.ts';
import { isSpdy } from '../spdy/accept.ts';
import { backendHeaders, upgradedHead } from './headers.ts';
import { joinChannels } from './join.ts';
import { passOn } from './pass-on.ts';
import { replyAhead } from './reply-ahead-channel.ts';

/** What {@link proxyUpgrade} is given. */
export interface ProxyUpgradeOptions extends UpgradeExchange {
  /** The whole URL at the backend, with path and query; headers to set there, such as the hop's own credentials. */
  backend: {
    url: string | URL;
    headers?: Record<string, string> | undefined;
    tls?: TlsClientOptions | undefined;
    connect?: (() => Duplex | Promise<Duplex>) | undefined;
  };
  /**
   * True answers the streams of a SPDY client here, so that it waits for no round trip to the backend: see `ReplyAhead`.
   * For the first of several hops.
   */
  repliesAhead?: boolean | undefined;
  /** How this hop's own errors look (500 `error dialing backend: …`). Default: plain text, as the kubelet's. */
  renderError?: ((statusCode: number, message: string) => HttpAnswer) | undefined;
  /** No byte in either direction for so long ends the connection. Default 4 h. */
  idleTimeoutMs?: number | undefined;
  clock?: Clock | undefined;
  signal?: AbortSignal | undefined;
}

/** What became of a proxied upgrade. */
export interface ProxyOutcome {
  /** Status code the client saw: 101 when it was upgraded. */
  statusCode: number;
  bytesFromClient: number;
  bytesFromBackend: number;
  /** Null when both directions ended in order, or the backend's refusal was relayed. */
  error: Error | null;
}

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
    lines: backendHeaders(request, backend.headers),
    async join(answer) {
      const client = adoptSocket(socket, head);
      const target = adoptSocket(answer.socket, answer.head);
      client.write(upgradedHead(answer.response));
      const isAhead = options.repliesAhead === true && isSpdy(answer.response);
      const joined = { ...options, client: isAhead ? replyAhead(client) : client, backend: target };
      return { statusCode: 101, ...(await joinChannels(joined)) };
    },
  });
}

import type { ClientRequest, IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { Duplex } from 'node:stream';
import { UpgradeError } from '../errors.ts';
import { readRefusal, spdyRefusalText } from '../http/refusal.ts';
import { adoptSocket } from '../http/sockets.ts';
import {
  isSecure,
  type TransportOptions,
  transportOptions,
  type UpgradeTarget,
  unreachable,
} from '../http/target.ts';
import { headBytesMax } from '../limits.ts';
import { spdyUpgradeToken, streamProtocolHeader, type UpgradedChannel } from './accept.ts';

/** What {@link requestUpgrade} is given. */
export interface RequestUpgradeOptions extends UpgradeTarget {
  /** Default POST, as kubectl's SPDY fallback does. */
  method?: string | undefined;
  /** Offered in this order; the server takes the first it knows. */
  protocols: readonly string[];
}

/** A SPDY byte stream to the server. */
export interface RequestedUpgrade extends UpgradedChannel {
  /** '' when the server named none, which means v1 for exec and attach. */
  protocol: string;
  headers: IncomingHttpHeaders;
}

/**
 * Asks a server for SPDY/3.1. Follows no redirect. Rejects with {@link UpgradeError}: `refused` with the text
 * `unable to upgrade connection: …`, or `unreachable`; with `signal.reason` when aborted.
 */
export async function requestUpgrade(options: RequestUpgradeOptions): Promise<RequestedUpgrade> {
  options.signal?.throwIfAborted();
  const transport = await transportOptions(options);
  const request = openRequest(options, transport);
  try {
    return await answerOf(request, options.signal);
  } catch (error) {
    request.destroy();
    options.signal?.throwIfAborted();
    throw unreachable(error);
  }
}

function openRequest(options: RequestUpgradeOptions, transport: TransportOptions): ClientRequest {
  const url = new URL(options.url);
  const secure = isSecure(url);
  url.protocol = secure ? 'https:' : 'http:';
  const open = secure ? httpsRequest : httpRequest;
  return open(url, {
    method: options.method ?? 'POST',
    headers: {
      ...options.headers,
      Connection: 'Upgrade',
      Upgrade: spdyUpgradeToken,
      [streamProtocolHeader]: [...options.protocols],
    },
    maxHeaderSize: headBytesMax,
    signal: options.signal,
    ...transport,
  });
}

function answerOf(request: ClientRequest, signal: AbortSignal | undefined): Promise<RequestedUpgrade> {
  return new Promise((resolve, reject) => {
    request.once('upgrade', (response: IncomingMessage, socket: Duplex, head: Buffer) => {
      try {
        resolve(upgraded(response, socket, head));
      } catch (error) {
        socket.destroy();
        reject(error);
      }
    });
    request.once('response', (response) => {
      if (response.statusCode === 101) return reject(refused(101, 'missing upgrade headers in response'));
      readRefusal(response).then((body) => reject(refused(response.statusCode ?? 0, body)), reject);
    });
    request.once('error', (error) => reject(signal?.aborted ? signal.reason : error));
    request.end();
  });
}

function upgraded(response: IncomingMessage, socket: Duplex, head: Buffer): RequestedUpgrade {
  const { headers } = response;
  if (!headers.upgrade?.toLowerCase().includes(spdyUpgradeToken.toLowerCase())) {
    throw refused(101, `server upgraded to "${headers.upgrade ?? ''}"`);
  }
  const protocol = headers['x-stream-protocol-version'];
  return {
    channel: adoptSocket(socket, head),
    protocol: typeof protocol === 'string' ? protocol.trim() : '',
    headers,
  };
}

function refused(statusCode: number, body: string): UpgradeError {
  return new UpgradeError('refused', `unable to upgrade connection: ${spdyRefusalText(body)}`, {
    statusCode,
    body,
  });
}

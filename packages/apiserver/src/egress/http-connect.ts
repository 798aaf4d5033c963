import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { onAbort } from '@wherry/bytes';
import { authorityOf, type Destination, type Dial, hostOf } from '../dialing/dial.ts';
import type { ClientFiles } from '../documents/client-files.ts';
import { EgressDialError, proxyUnreached } from './dial-error.ts';

/** Where a proxy listens that takes CONNECT: at a unix socket, or at a URL, by TLS where that is https. */
export type ConnectProxy =
  | { path: string }
  | { url: URL; files: ClientFiles; servername: string | undefined };

/** Connections by CONNECT of HTTP/1.1 (RFC 9110, section 9.3.6), one connection to the proxy each. */
export function httpConnectDial(proxy: ConnectProxy): Dial {
  return (destination) => connectThrough(proxy, destination);
}

function connectThrough(proxy: ConnectProxy, destination: Destination): Promise<Duplex> {
  const authority = authorityOf(destination);
  const name = 'path' in proxy ? proxy.path : proxy.url.host;
  const request = requestTo(proxy, authority);
  let isConnected = false;
  return new Promise<Duplex>((resolve, reject) => {
    const leave = onAbort(destination.signal, (reason) => request.destroy(reason as Error));
    request.once('socket', (socket: Socket) => {
      const event = 'url' in proxy && proxy.url.protocol === 'https:' ? 'secureConnect' : 'connect';
      socket.once(event, () => (isConnected = true));
    });
    request.on('error', (error) => {
      leave();
      const { aborted, reason } = destination.signal ?? {};
      const text = `reading HTTP response from CONNECT to ${authority} via proxy ${name} failed: ${error.message}`;
      const refusal = isConnected ? new EgressDialError('proxy', text, error) : proxyUnreached(error);
      reject(aborted ? (reason as Error) : refusal);
    });
    const judge = (answer: IncomingMessage, socket: Socket, head: Buffer) => {
      leave();
      const refusal = refusalOf(answer, head, { name, authority });
      if (refusal) {
        socket.destroy();
        reject(refusal);
      } else resolve(socket);
    };
    request.once('connect', judge);
    request.end();
  });
}

function requestTo(proxy: ConnectProxy, authority: string): ClientRequest {
  const asked = { method: 'CONNECT', path: authority, headers: { host: '127.0.0.1' }, agent: false as const };
  if ('path' in proxy) return httpRequest({ ...asked, socketPath: proxy.path });
  const { url, files, servername } = proxy;
  const host = hostOf(url);
  if (url.protocol === 'http:') return httpRequest({ ...asked, host, port: url.port || 80 });
  const { ca, cert, key } = files.current;
  return httpsRequest({
    ...{ ...asked, host, port: url.port || 443, cert, key },
    ...(ca && { ca, allowPartialTrustChain: true }),
    servername: servername ?? (isIP(host) === 0 ? host : ''),
  });
}

function refusalOf(
  { statusCode = 0, statusMessage = '' }: IncomingMessage,
  head: Buffer,
  { name, authority }: { name: string; authority: string },
): EgressDialError | undefined {
  if (statusCode !== 200) {
    const status = `${statusCode} ${statusMessage}`.trim();
    const text = `proxy error from ${name} while dialing ${authority}, code ${statusCode}: ${status}`;
    return new EgressDialError('proxy', text);
  }
  // Whoever is dialled waits for what this server says: bytes before that are the proxy's.
  return head.length > 0
    ? new EgressDialError(
        'proxy',
        `unexpected ${head.length} bytes of buffered data from CONNECT proxy "${name}"`,
      )
    : undefined;
}

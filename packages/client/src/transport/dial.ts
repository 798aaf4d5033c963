import { isIP } from 'node:net';
import type { Duplex } from 'node:stream';
import { type ConnectionOptions, checkServerIdentity, type TLSSocket, connect as tlsConnect } from 'node:tls';
import { onAbort } from '@wherry/bytes';
import { type Clock, deadline } from '@wherry/clock';
import type { TlsClientOptions } from '@wherry/upgrade';
import { limits } from '../limits.ts';
import { bareHost } from '../proxy/proxy-url.ts';
import type { ClusterAccess } from './cluster-access.ts';
import type { ClientCertificate } from './credentials.ts';
import { openTunnel } from './proxy-tunnel.ts';

const httpsPort = 443;
const httpPort = 80;

/** TLS options towards a server, unset ones left out. */
export type ServerTlsOptions = TlsClientOptions & Partial<Pick<ConnectionOptions, 'checkServerIdentity'>>;

/** The TLS options of an access; a certificate that a plugin gave goes before the kubeconfig's. */
export function tlsOptionsOf({ tls }: ClusterAccess, certificate?: ClientCertificate): ServerTlsOptions {
  // The kubeconfig's authority may be the server's own certificate, as for client-go.
  const trust = tls.ca && { allowPartialTrustChain: true };
  const set = Object.entries({ ...tls, ...trust, ...certificate, ...identityOf(tls.servername) });
  return Object.fromEntries(set.filter(([, value]) => value !== undefined));
}

/** An address can't be asked for by name (RFC 6066), but the certificate is checked against it all the same. */
function identityOf(name: string | undefined): ServerTlsOptions {
  if (!name || isIP(name) === 0) return {};
  return { servername: '', checkServerIdentity: (_host, shown) => checkServerIdentity(name, shown) };
}

/** Whether connections to the server are {@link dialThroughProxy}'s to open. */
export const isLedElsewhere = ({ proxy, dial }: ClusterAccess): boolean =>
  proxy !== undefined || dial !== undefined;

/** How {@link dialThroughProxy} dials. */
export interface DialOptions {
  certificate?: ClientCertificate | undefined;
  clock: Clock;
  signal?: AbortSignal | undefined;
}

/**
 * Opens a connection to the server through its proxy, or as the access does it, TLS included, within `limits.connectTimeoutMs`. Rejects with the
 * socket's error or `signal.reason`.
 */
export async function dialThroughProxy(
  access: ClusterAccess,
  { certificate, clock, signal }: DialOptions,
): Promise<Duplex> {
  const { server, proxy, tls, dial } = access;
  const isSecure = server.protocol === 'https:';
  const host = bareHost(server);
  const port = Number(server.port) || (isSecure ? httpsPort : httpPort);
  const what = `connecting to ${server.host} through the proxy`;
  using limit = deadline({ clock, timeoutMs: limits.connectTimeoutMs, what, signal });
  const ends = limit.signal;
  const socket = proxy
    ? await openTunnel({ proxy, host, port, tls, signal: ends })
    : await dial?.({ host, port, signal: ends });
  if (!socket) throw new Error(`${server.host} is dialled from here`);
  if (!isSecure) return socket;
  return await secure(socket, { host, options: tlsOptionsOf(access, certificate), signal: limit.signal });
}

interface SecureOptions {
  host: string;
  options: ServerTlsOptions;
  signal: AbortSignal;
}

function secure(socket: Duplex, { host, options, signal }: SecureOptions): Promise<TLSSocket> {
  return new Promise((resolve, reject) => {
    const name = isIP(host) === 0 ? { servername: host } : {};
    const secured = tlsConnect({ socket, host, ALPNProtocols: ['http/1.1'], ...name, ...options });
    const leave = onAbort(signal, () => secured.destroy(signal.reason));
    secured.once('secureConnect', () => {
      leave();
      resolve(secured);
    });
    secured.on('error', reject);
    secured.once('close', () => {
      leave();
      reject(new Error('the connection was closed in the TLS handshake'));
    });
  });
}

import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { connect, isIP, type Socket } from 'node:net';
import { getCACertificates } from 'node:tls';
import { onAbort } from '@wherry/bytes';
import { limits } from '../limits.ts';
import { bareHost, defaultProxyPorts, describeProxy } from '../proxy/proxy-url.ts';
import type { TlsMaterial } from './cluster-access.ts';

/** A connection through a proxy. */
export interface TunnelOptions {
  proxy: URL;
  /** Name or address of the server; names are left to the proxy to look up, as in Go. */
  host: string;
  port: number;
  /** The cluster's: an https proxy may show a certificate of the same authority. Client certificates are not shown. */
  tls: TlsMaterial;
  signal: AbortSignal;
}

/** Opens a TCP connection to the server through an http, https or SOCKS 5 proxy. Rejects with what the proxy said. */
export async function openTunnel(options: TunnelOptions): Promise<Socket> {
  const { proxy, host, port } = options;
  const kind = proxy.protocol;
  if (!defaultProxyPorts.has(kind)) {
    throw new Error(`the proxy ${describeProxy(proxy)} is neither http, https, socks5 nor socks5h`);
  }
  try {
    const isSocks = kind.startsWith('socks');
    const socket = await (isSocks ? throughSocks(options) : throughConnect(options));
    // Who takes the socket listens for its end; an error that comes before is no reason to end the process.
    socket.on('error', () => {});
    return socket;
  } catch (error) {
    if (options.signal.aborted) throw options.signal.reason;
    const { message, code } = error as NodeJS.ErrnoException;
    // Which errno it was is about the proxy, not about the server: it is left in the cause.
    throw new Error(
      `the proxy ${describeProxy(proxy)} did not connect to ${authority(host, port)}: ${message || code}`,
      { cause: error },
    );
  }
}

async function throughSocks({ proxy, host, port, signal }: TunnelOptions): Promise<Socket> {
  // Loaded by those who need it: most don't.
  const { SocksClient } = await import('socks');
  signal.throwIfAborted();
  const socket = connect({ host: bareHost(proxy), port: portOf(proxy) });
  // Who waits hears of an error in its own way; one that comes between two waits is no reason to end the process.
  socket.on('error', () => {});
  const leave = onAbort(signal, () => socket.destroy(signal.reason));
  const login = { userId: decodeURIComponent(proxy.username), password: decodeURIComponent(proxy.password) };
  try {
    await once(socket, 'connect');
    const { socket: tunnel } = await SocksClient.createConnection({
      command: 'connect',
      destination: { host, port },
      proxy: { host: bareHost(proxy), port: portOf(proxy), type: 5, ...(login.userId ? login : {}) },
      existing_socket: socket,
      timeout: limits.connectTimeoutMs,
      set_tcp_nodelay: true,
    });
    return tunnel;
  } catch (error) {
    socket.destroy();
    signal.throwIfAborted();
    throw error;
  } finally {
    leave();
  }
}

function throughConnect({ proxy, host, port, tls, signal }: TunnelOptions): Promise<Socket> {
  const isSecure = proxy.protocol === 'https:';
  const send = isSecure ? httpsRequest : httpRequest;
  const path = authority(host, port);
  return new Promise((resolve, reject) => {
    const request = send({
      host: bareHost(proxy),
      port: portOf(proxy),
      method: 'CONNECT',
      path,
      headers: { host: path, ...proxyAuthorization(proxy) },
      agent: false,
      maxHeaderSize: limits.proxyHeadBytesMax,
      signal,
      ...(isSecure ? proxyTls(proxy, tls) : {}),
    });
    request.once('connect', (response, socket: Socket, head: Buffer) => {
      if (response.statusCode !== 200) {
        socket.destroy();
        reject(new Error(`${response.statusCode} ${response.statusMessage ?? ''}`.trim()));
        return;
      }
      if (head.length > 0) socket.unshift(head);
      socket.setNoDelay(true);
      resolve(socket);
    });
    request.once('response', (response) => {
      response.resume();
      reject(new Error(`it answered CONNECT with ${response.statusCode}`));
    });
    request.once('error', reject);
    request.end();
  });
}

function proxyAuthorization(proxy: URL): Record<string, string> {
  if (!proxy.username && !proxy.password) return {};
  const pair = `${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`;
  return { 'proxy-authorization': `Basic ${Buffer.from(pair).toString('base64')}` };
}

/** The name is said here, because Node would take it from the Host header, which names the server. */
function proxyTls(proxy: URL, { ca, rejectUnauthorized }: TlsMaterial) {
  const host = bareHost(proxy);
  const trust = ca ? { ca: [...getCACertificates('default'), ca] } : {};
  return { ...trust, rejectUnauthorized, servername: isIP(host) === 0 ? host : '' };
}

function portOf(proxy: URL): number {
  return Number(proxy.port) || (defaultProxyPorts.get(proxy.protocol) ?? 0);
}

/** `host:port`, with brackets around an IPv6 address. */
function authority(host: string, port: number): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}

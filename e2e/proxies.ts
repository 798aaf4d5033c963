import { once } from 'node:events';
import { createServer, request as httpRequest, type IncomingMessage } from 'node:http';
import { createServer as createSecureServer, request as httpsRequest } from 'node:https';
import {
  type AddressInfo,
  connect,
  createServer as createTcpServer,
  type Socket,
  type Server as TcpServer,
} from 'node:net';
import type { Duplex } from 'node:stream';

/** A certificate with its key, PEM. */
export interface Identity {
  cert: string;
  key: string;
}

/** A proxy on loopback. */
export interface TestProxy extends AsyncDisposable {
  /** With the user's name and password, where one is needed. */
  url: string;
  /** What was asked for, `host:port`. */
  asked: string[];
}

/** What a proxy demands, and how it is reached. */
export interface ProxyOptions {
  user?: { name: string; password: string };
  /** Speaks TLS to its clients. */
  identity?: Identity;
}

/** The address behind every name that ends in `.test`: only these proxies know it. */
const hiddenHost = '127.0.0.1';

function dial(host: string, port: number): Socket {
  return connect({ host: host.endsWith('.test') ? hiddenHost : host, port });
}

function join(one: Duplex, other: Duplex): void {
  one.pipe(other).pipe(one);
  for (const [from, to] of [
    [one, other],
    [other, one],
  ] as const) {
    from.on('error', () => to.destroy());
    from.on('close', () => to.destroy());
  }
}

/** An HTTP proxy that knows CONNECT and nothing else. */
export async function startConnectProxy({ user, identity }: ProxyOptions = {}): Promise<TestProxy> {
  const asked: string[] = [];
  const server = identity ? createSecureServer(identity) : createServer();
  server.on('request', (_request, response) => response.writeHead(405).end());
  server.on('connect', (request: IncomingMessage, client: Duplex, head: Buffer) => {
    const given = request.headers['proxy-authorization'];
    const wanted = user && `Basic ${Buffer.from(`${user.name}:${user.password}`).toString('base64')}`;
    if (given !== wanted) {
      client.end('HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n');
      return;
    }
    const target = request.url ?? '';
    asked.push(target);
    const { hostname, port } = new URL(`tcp://${target}`);
    const backend = dial(hostname.replace(/^\[|\]$/g, ''), Number(port));
    backend.once('connect', () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n');
      backend.write(head);
      join(client, backend);
    });
    backend.once('error', () => client.end('HTTP/1.1 502 Bad Gateway\r\n\r\n'));
    client.on('error', () => backend.destroy());
  });
  const port = await listen(server);
  const login = user ? `${user.name}:${user.password}@` : '';
  return { url: `${identity ? 'https' : 'http'}://${login}127.0.0.1:${port}`, asked, ...disposal(server) };
}

/** A SOCKS 5 proxy (RFC 1928, and RFC 1929 for a user's password) that knows CONNECT. */
export async function startSocksProxy({ user }: ProxyOptions = {}): Promise<TestProxy> {
  const asked: string[] = [];
  const server = createTcpServer((client) => {
    client.on('error', () => client.destroy());
    void serveSocks(client, asked, user).catch(() => client.destroy());
  });
  const port = await listen(server);
  const login = user ? `${user.name}:${user.password}@` : '';
  return { url: `socks5://${login}127.0.0.1:${port}`, asked, ...disposal(server) };
}

async function serveSocks(client: Socket, asked: string[], user: ProxyOptions['user']): Promise<void> {
  const [, methodCount = 0] = await take(client, 2);
  await take(client, methodCount);
  client.write(Buffer.from([5, user ? 2 : 0]));
  if (user) {
    const [, nameLength = 0] = await take(client, 2);
    const name = (await take(client, nameLength)).toString();
    const [passwordLength = 0] = await take(client, 1);
    const password = (await take(client, passwordLength)).toString();
    const isRight = name === user.name && password === user.password;
    client.write(Buffer.from([1, isRight ? 0 : 1]));
    if (!isRight) return void client.end();
  }
  const [, , , kind] = await take(client, 4);
  const host = await takeHost(client, kind);
  const port = (await take(client, 2)).readUInt16BE();
  asked.push(`${host}:${port}`);
  const backend = dial(host, port);
  await once(backend, 'connect');
  client.write(Buffer.from([5, 0, 0, 1, 0, 0, 0, 0, 0, 0]));
  join(client, backend);
}

async function takeHost(client: Socket, kind: number | undefined): Promise<string> {
  if (kind === 1) return [...(await take(client, 4))].join('.');
  if (kind === 4) return ipv6Text(await take(client, 16));
  const [length = 0] = await take(client, 1);
  return (await take(client, length)).toString();
}

/** An address of 16 bytes in its shortest form. */
function ipv6Text(bytes: Buffer): string {
  const groups = (bytes.toString('hex').match(/.{4}/g) ?? []).join(':');
  return new URL(`http://[${groups}]`).hostname.slice(1, -1);
}

async function take(client: Socket, length: number): Promise<Buffer> {
  for (;;) {
    const bytes: Buffer | null = length === 0 ? Buffer.alloc(0) : client.read(length);
    if (bytes) return bytes;
    await once(client, 'readable');
  }
}

/** What {@link startPrefixProxy} is given. */
export interface PrefixProxyOptions {
  /** `/k8s/clusters/c-1`: taken off before a request goes on. */
  prefix: string;
  backend: URL;
  identity: Identity;
  /** Address to listen on. Default 127.0.0.1. */
  host?: string;
}

/** A reverse proxy that ends TLS and serves one cluster below a path, upgrades too, as Rancher does. */
export async function startPrefixProxy(options: PrefixProxyOptions): Promise<TestProxy> {
  const { prefix, backend, identity, host = '127.0.0.1' } = options;
  const asked: string[] = [];
  const server = createSecureServer(identity);
  const forward = (request: IncomingMessage) => {
    asked.push(request.url ?? '');
    const send = backend.protocol === 'https:' ? httpsRequest : httpRequest;
    return send({
      host: backend.hostname,
      port: backend.port,
      method: request.method,
      path: request.url?.slice(prefix.length),
      headers: request.headers,
      rejectUnauthorized: false,
      agent: false,
    });
  };
  server.on('request', (request, response) => {
    if (!request.url?.startsWith(`${prefix}/`)) return void response.writeHead(404).end();
    const onward = forward(request);
    onward.on('response', (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    onward.on('error', () => response.destroy());
    request.pipe(onward);
  });
  server.on('upgrade', (request: IncomingMessage, client: Duplex, head: Buffer) => {
    const onward = forward(request);
    onward.on('upgrade', (answer, socket, backendHead) => {
      client.write(headOf(answer));
      client.write(backendHead);
      socket.write(head);
      join(client, socket);
    });
    onward.on('response', (answer) => {
      client.write(headOf(answer));
      answer.pipe(client);
    });
    onward.on('error', () => client.destroy());
    onward.end();
  });
  const port = await listen(server, host);
  const name = host.includes(':') ? `[${host}]` : host;
  return { url: `https://${name}:${port}${prefix}`, asked, ...disposal(server) };
}

function headOf({ statusCode, statusMessage, rawHeaders }: IncomingMessage): string {
  const lines = [`HTTP/1.1 ${statusCode} ${statusMessage}`];
  for (let at = 0; at < rawHeaders.length; at += 2) lines.push(`${rawHeaders[at]}: ${rawHeaders[at + 1]}`);
  return `${lines.join('\r\n')}\r\n\r\n`;
}

async function listen(server: TcpServer, host = '127.0.0.1'): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  return (server.address() as AddressInfo).port;
}

function disposal(server: TcpServer): AsyncDisposable {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  return {
    async [Symbol.asyncDispose]() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** Node's clients of HTTP over connections that a {@link Dial} opens, TLS on top of it where it is wanted. */
import { Agent as HttpAgent } from 'node:http';
import { type AgentOptions, Agent as HttpsAgent, type RequestOptions } from 'node:https';
import { isIP } from 'node:net';
import type { Duplex } from 'node:stream';
import { connect, type TLSSocket } from 'node:tls';
import { onAbort } from '@wherry/bytes';
import type { TlsClientOptions } from '@wherry/upgrade';
import { limits } from '../limits.ts';
import { type Dial, hostOf } from './dial.ts';

type Created = (error: Error | null, socket: Duplex) => void;
type Create = (options: RequestOptions, created?: Created) => Duplex | null | undefined;

/** Keeps connections as the options say; those are Node's own where there is no `dial`. */
export function httpsAgent(options: AgentOptions, dial: Dial | undefined): HttpsAgent {
  const agent = new HttpsAgent(options);
  if (dial) {
    const secure = agent.createConnection.bind(agent) as Create;
    agent.createConnection = creating(
      dial,
      (socket, given) => secure({ ...given, socket } as RequestOptions)!,
    );
  }
  return agent;
}

/** How connections of one kind are led, and what sends plain requests over them. */
export interface Way {
  dial: Dial;
  http: HttpAgent;
  https: HttpsAgent;
}

/** The agent for HTTP keeps no connections: what a proxy leads is no socket, which Node's would have to be. */
export const wayOf = (dial: Dial): Way => ({
  ...{ dial, http: httpAgent(dial) },
  https: httpsAgent({ keepAlive: true, maxFreeSockets: limits.idleBackendSocketsMax }, dial),
});

function httpAgent(dial: Dial): HttpAgent {
  const agent = new HttpAgent({ keepAlive: false });
  agent.createConnection = creating(dial, (socket) => socket);
  return agent;
}

function creating(dial: Dial, finish: (socket: Duplex, options: RequestOptions) => Duplex) {
  return (options: RequestOptions, created?: Created): never => {
    const done = created as (error: Error | null, socket?: Duplex) => void;
    dial({ host: options.host ?? '', port: Number(options.port) }).then(
      (socket) => done(null, finish(socket, options)),
      (error: Error) => done(error),
    );
    return undefined as never;
  };
}

/** What an upgrade is sent over. */
export interface DialledUrl {
  url: URL;
  tls: TlsClientOptions;
  signal: AbortSignal;
}

/** Opens the connection of an upgrade, TLS included. Undefined where no way is said: the upgrade opens it then. */
export function connectBy(way: Way | undefined, { url, tls, signal }: DialledUrl) {
  if (!way) return undefined;
  const { dial } = way;
  return async (): Promise<Duplex> => {
    const host = hostOf(url);
    const isSecure = url.protocol === 'https:';
    const socket = await dial({ host, port: Number(url.port || (isSecure ? 443 : 80)), signal });
    return isSecure ? secured(socket, { host, tls, signal }) : socket;
  };
}

function secured(
  socket: Duplex,
  { host, tls, signal }: { host: string; tls: TlsClientOptions; signal: AbortSignal },
): Promise<TLSSocket> {
  const name = isIP(host) === 0 ? { servername: host } : {};
  const secure = connect({ socket, host, ...name, ...tls });
  return new Promise((resolve, reject) => {
    const leave = onAbort(signal, (reason) => secure.destroy(reason as Error));
    secure.once('secureConnect', () => {
      leave();
      resolve(secure);
    });
    secure.on('error', reject);
    secure.once('close', () => {
      leave();
      reject(new Error('the connection was closed in the TLS handshake'));
    });
  });
}

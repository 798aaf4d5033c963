import type { OutgoingHttpHeaders } from 'node:http';
import type { Agent } from 'node:https';
import type { Duplex } from 'node:stream';
import { UpgradeError } from '../errors.ts';
import { sessionAgent, type TlsClientOptions } from './tls.ts';

/** Where an upgrade is sent to, and with what. */
export interface UpgradeTarget {
  /** http:, https:, ws: or wss:, with path and query. */
  url: string | URL;
  /** Sent as they are, for example `{ authorization: 'Bearer …' }`. */
  headers?: OutgoingHttpHeaders | undefined;
  tls?: TlsClientOptions | undefined;
  /** Opens the transport, TLS included, instead of TCP or TLS to the URL's host: a proxy, a unix socket, a test. */
  connect?: (() => Duplex | Promise<Duplex>) | undefined;
  /** Ends the attempt; has no effect once the upgrade is done. */
  signal?: AbortSignal | undefined;
}

/** Whether the target is reached through TLS. Throws {@link UpgradeError} (`unreachable`) for an unknown scheme. */
export function isSecure(url: URL): boolean {
  if (url.protocol === 'https:' || url.protocol === 'wss:') return true;
  if (url.protocol === 'http:' || url.protocol === 'ws:') return false;
  throw new UpgradeError(
    'unreachable',
    `upgrade: unknown scheme "${url.protocol}" in "${url.href}"; use http or https`,
  );
}

/** How Node's `http.request` gets its connection: a new one of its own, or the one given to it. */
export type TransportOptions = { agent: Agent | false } | { createConnection: () => Duplex };

/** Where an {@link UpgradeTarget}'s connection comes from, as options of Node's `http.request`. */
export async function transportOptions(
  target: Pick<UpgradeTarget, 'url' | 'connect' | 'tls'>,
): Promise<TransportOptions> {
  const { url, connect, tls } = target;
  try {
    if (!connect) return { agent: tls && isSecure(new URL(url)) ? sessionAgent(tls) : false };
    const transport = await connect();
    return { createConnection: () => transport };
  } catch (error) {
    throw unreachable(error);
  }
}

/** Whatever kept us from an answer, as an {@link UpgradeError}. */
export function unreachable(error: unknown): UpgradeError {
  if (error instanceof UpgradeError) return error;
  const message = error instanceof Error ? error.message || error.name : String(error);
  return new UpgradeError('unreachable', message, { cause: error });
}

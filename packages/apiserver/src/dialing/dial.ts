import type { Duplex } from 'node:stream';

/** Where a connection shall lead. */
export interface Destination {
  /** An address, or a name that is left to be resolved where it is dialled from. */
  host: string;
  port: number;
  /** Ends the attempt; has no effect on a connection that stands. */
  signal?: AbortSignal | undefined;
}

/** Opens connections, without TLS. Rejects with an Error in Go's words, or the signal's reason. */
export type Dial = (destination: Destination) => Promise<Duplex>;

/** `HOST:PORT`, as it stands in requests and messages. */
export const authorityOf = ({ host, port }: Destination): string =>
  host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;

/** The host that a URL names; an address of IPv6 without its brackets. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[(.*)\]$/, '$1');

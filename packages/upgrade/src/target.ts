import type { OutgoingHttpHeaders } from 'node:http';
import type { Duplex } from 'node:stream';
import type { SecureContextOptions } from 'node:tls';

/** TLS towards a server: what Node's `tls.connect` takes, as far as an upgrade needs it. */
export interface TlsClientOptions
  extends Pick<SecureContextOptions, 'ca' | 'cert' | 'key' | 'pfx' | 'passphrase'> {
  /** false accepts any serving certificate. Default true. */
  rejectUnauthorized?: boolean | undefined;
  /** The name asked for and checked in the certificate. Default: the URL's host. */
  servername?: string | undefined;
}

/** Where an upgrade is sent to, and with what. */
export interface UpgradeTarget {
  /** http:, https:, ws: or wss:, with path and query. */
  url: string | URL;
  /** Sent as they are, for example `{ authorization: 'Bearer …' }`. */
  headers?: OutgoingHttpHeaders | undefined;
  tls?: TlsClientOptions | undefined;
  /** Opens the transport instead of TCP or TLS to the URL's host (a proxy, a unix socket, a test). */
  connect?: (() => Duplex | Promise<Duplex>) | undefined;
  /** Ends the attempt; has no effect once the upgrade is done. */
  signal?: AbortSignal | undefined;
}

import type { Duplex } from 'node:stream';
import type { CredentialSource } from './credentials.ts';

/** TLS material, PEM. */
export interface TlsMaterial {
  ca?: Buffer | undefined;
  cert?: Buffer | undefined;
  key?: Buffer | undefined;
  /** False only where the kubeconfig says `insecure-skip-tls-verify`. */
  rejectUnauthorized: boolean;
  /** Name that the server's certificate is checked against, when it is not the URL's host. */
  servername?: string | undefined;
}

/** Where TLS material comes from that does not last. */
export interface TlsSource {
  /** What to use now; the same object as long as nothing changes. Cheap, and does not reject. */
  current(): Promise<TlsMaterial>;
}

/** Request headers; a list is sent as one line for each value. */
export type HeaderFields = Record<string, string | string[]>;

/** Where a connection shall lead. */
export interface DialledServer {
  host: string;
  port: number;
  /** Ends the attempt. */
  signal: AbortSignal;
}

/** Everything needed to talk to one API server as one user. */
export interface ClusterAccess {
  /** http or https; a path in it goes in front of every API path. */
  server: URL;
  /** What `tlsFiles` said at first, or all there is. */
  tls: TlsMaterial;
  /** Where it is renewed: connections that are made from then on have the new one, those that are busy live on. */
  tlsFiles?: TlsSource | undefined;
  /** Namespace of the chosen context; `default` when it names none. */
  namespace: string;
  /** What the kubeconfig itself says about the user, as request headers: fixed credentials and impersonation. */
  headers(): HeaderFields;
  /** Credentials that come from elsewhere and change: a token file, a plugin. They go before those in `headers`. */
  credentials?: CredentialSource | undefined;
  /** Stands between this machine and the server: http, https, socks5 or socks5h. */
  proxy?: URL | undefined;
  /** Opens connections to the server, without TLS, in place of this machine. Default, and where there is a `proxy`: this machine does. */
  dial?: ((to: DialledServer) => Promise<Duplex>) | undefined;
  /** True leaves answers uncompressed: better on a fast network. */
  disableCompression?: boolean | undefined;
}

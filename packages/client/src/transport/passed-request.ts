import type { OutgoingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import type { UpgradeExchange } from '@wherry/upgrade';

/** Who asks, of a request that somebody else has made. */
export interface PassedIdentity {
  /**
   * Whether what the request says of who asks (`authorization`, `impersonate-…`, a token among the sub-protocols of a WebSocket)
   * goes on, in place of what the client would say. Default false: it is taken out, as is `x-remote-…`, so that all is asked as the client.
   */
  bringsCredentials?: boolean | undefined;
}

/** A request that somebody else has made. */
export interface PassedRequest extends PassedIdentity {
  method: string;
  /** The whole path on the server, with its query; what the server's URL has for a path is not put in front. */
  path: string;
  /** Those that go on, with names in lower case. */
  headers: OutgoingHttpHeaders;
  /** Undefined for none. */
  body?: Readable | undefined;
  signal?: AbortSignal | undefined;
}

/** An upgrade that somebody else has asked for. */
export interface PassedUpgrade
  extends UpgradeExchange,
    PassedIdentity,
    Pick<PassedRequest, 'path' | 'signal'> {
  /** Silence after which TCP asks whether either side is still there. */
  keepAliveDelayMs?: number | undefined;
}

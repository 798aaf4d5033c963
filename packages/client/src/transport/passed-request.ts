import type { OutgoingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import type { UpgradeExchange } from '@wherry/upgrade';

/** A request that somebody else has made. */
export interface PassedRequest {
  method: string;
  /** The whole path on the server, with its query; what the server's URL has for a path is not put in front. */
  path: string;
  /** Those that go on, with names in lower case. Credentials among them go before the client's. */
  headers: OutgoingHttpHeaders;
  /** Undefined for none. */
  body?: Readable | undefined;
  signal?: AbortSignal | undefined;
}

/** An upgrade that somebody else has asked for. */
export interface PassedUpgrade extends UpgradeExchange, Pick<PassedRequest, 'path' | 'signal'> {
  /** Silence after which TCP asks whether either side is still there. */
  keepAliveDelayMs?: number | undefined;
}

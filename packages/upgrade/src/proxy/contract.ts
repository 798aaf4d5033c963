import type { Duplex } from 'node:stream';
import type { Clock } from '@wherry/clock';
import type { LiveSession } from '@wherry/telemetry';
import type { HttpAnswer } from '../http/answer.ts';
import type { UpgradeExchange } from '../http/exchange.ts';
import type { TlsClientOptions } from '../http/tls.ts';

/** What `proxyUpgrade` is given. */
export interface ProxyUpgradeOptions extends UpgradeExchange {
  /** The whole URL at the backend, with path and query; headers to set there, such as the hop's own credentials. */
  backend: {
    url: string | URL;
    headers?: Record<string, string | readonly string[]> | undefined;
    tls?: TlsClientOptions | undefined;
    connect?: (() => Duplex | Promise<Duplex>) | undefined;
  };
  /**
   * Answers the streams of a SPDY client here, so that it waits for no round trip to the backend: see `ReplyAhead`. For
   * the first of several hops. Streams `inPairs` (port-forward) go to the backend two by two.
   */
  repliesAhead?: { inPairs: boolean } | undefined;
  /** How this hop's own errors look (500 `error dialing backend: …`). Default: plain text, as the kubelet's. */
  renderError?: ((statusCode: number, message: string) => HttpAnswer) | undefined;
  /** No byte in either direction for so long ends the connection. Default 4 h. */
  idleTimeoutMs?: number | undefined;
  /** Silence after which TCP asks whether either side is still there. Default 30 s. */
  keepAliveDelayMs?: number | undefined;
  clock?: Clock | undefined;
  signal?: AbortSignal | undefined;
  /** Told of what passes, and of the end. */
  session?: LiveSession | undefined;
}

/** What became of a proxied upgrade. */
export interface ProxyOutcome {
  /** Status code the client saw: 101 when it was upgraded. */
  statusCode: number;
  bytesFromClient: number;
  bytesFromBackend: number;
  /** Null when both directions ended in order, or the backend's refusal was relayed. */
  error: Error | null;
  /** Who was first to end a connection that had been upgraded. */
  endedBy?: 'client' | 'backend' | 'hop';
}

// Signatures first: the bodies follow.
import type { ByteChannel, WaitOptions } from '@wherry/bytes';
import type { Clock } from '@wherry/clock';
import type { Logger } from '@wherry/telemetry';
import type { UpgradeExchange, UpgradeTarget } from '@wherry/upgrade';

// ---- server (CRI streaming server): SPDY, legacy WebSocket and SPDY inside WebSocket, by what the request asks for
export interface ServePortForwardOptions extends UpgradeExchange {
  /** Connects to a port inside the pod; rejecting ends that one connection with the error's text. */
  dial(port: number, options: WaitOptions): Promise<ByteChannel>;
  /** Ports of a legacy WebSocket session (CRI PortForwardRequest.port). */
  ports?: readonly number[] | undefined;
  /** For texts: `error forwarding port P to pod S, uid : …`. */
  podName?: string | undefined;
  clock?: Clock | undefined;
  logger?: Logger | undefined;
  /** Default 30 s: wait for the other half of a stream pair. */
  streamCreationTimeoutMs?: number | undefined;
  /** Default 4 h. */
  idleTimeoutMs?: number | undefined;
}
export interface ServedPortForward {
  statusCode: number;
  /** Connections that were dialled. */
  connections: number;
  /** Of those, how many could not be dialled or broke. */
  failures: number;
  error: Error | null;
}
/** Resolves when the session is over; never rejects. */
export declare function servePortForward(options: ServePortForwardOptions): Promise<ServedPortForward>;

// ---- client
export interface ConnectPortForwardOptions extends UpgradeTarget {
  /** 'auto' = SPDY inside WebSocket, then SPDY when the upgrade fails. Default 'auto'. */
  transport?: 'auto' | 'websocket' | 'spdy' | undefined;
  clock?: Clock | undefined;
  logger?: Logger | undefined;
}
export interface PortForwardConnection {
  readonly transport: 'spdy' | 'websocket';
  /** A new connection to `port` in the pod; half-closes both ways. Its `closed` carries a PortForwardError when the pod refused. */
  dial(port: number, options?: WaitOptions): Promise<ByteChannel>;
  close(): void;
  /** Settles when the session itself is gone. */
  readonly closed: Promise<Error | null>;
}
/** Rejects with UpgradeError. */
export declare function connectPortForward(
  options: ConnectPortForwardOptions,
): Promise<PortForwardConnection>;

// ---- tunnel proxy (API server, kubelet): WebSocket `SPDY/3.1+portforward.k8s.io` in front, SPDY upgrade behind
export interface TunnelPortForwardOptions extends UpgradeExchange {
  backend: UpgradeTarget;
  logger?: Logger | undefined;
  idleTimeoutMs?: number | undefined;
}
/** True for a WebSocket request that names a `SPDY/3.1+….k8s.io` protocol. */
export declare function wantsTunnel(request: UpgradeExchange['request']): boolean;
/** Resolves when both directions have ended; `statusCode` is the label of `…_stream_tunnel_requests_total`. */
export declare function tunnelPortForward(
  options: TunnelPortForwardOptions,
): Promise<{ statusCode: number; error: Error | null }>;

// Signatures first: the bodies follow.

import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { ByteChannel } from '@wherry/bytes';
import type { TlsClientOptions, UpgradeTarget } from './target.ts';

export type { UpgradeErrorCode } from './errors.ts';
export { UpgradeError } from './errors.ts';
export type { TlsClientOptions, UpgradeTarget } from './target.ts';

/** What `http.Server` hands to its `upgrade` listener. */
export interface UpgradeExchange {
  request: IncomingMessage;
  socket: Duplex;
  head: Buffer;
}

// ---- client side of SPDY
/** POSTs `Upgrade: SPDY/3.1`; rejects with {@link UpgradeError} (`unable to upgrade connection: …`). Never follows a redirect. */
export declare function requestUpgrade(
  target: UpgradeTarget & { method?: string | undefined; protocols: readonly string[] },
): Promise<{ channel: ByteChannel; protocol: string; headers: IncomingHttpHeaders }>;

// ---- server side of SPDY. Throws UpgradeError after it has answered and closed the socket.
export declare function acceptSpdyUpgrade(exchange: UpgradeExchange & { protocols: readonly string[] }): {
  channel: ByteChannel;
  protocol: string;
};

// ---- WebSocket, both sides
export interface MessageReceiver {
  message(data: Uint8Array, isBinary: boolean): void;
  closed(error: Error | null): void;
}
export interface MessageSocket {
  readonly protocol: string;
  receive(receiver: MessageReceiver): void;
  /** One binary message = one frame: `head` (a few bytes) then `payload`, which is not copied. */
  sendBinary(payload: Uint8Array, head?: Uint8Array): boolean;
  sendText(text: string): boolean;
  drained(options?: { signal?: AbortSignal | undefined }): Promise<void>;
  readonly bufferedBytes: number;
  pause(): void;
  resume(): void;
  close(code?: number): void;
  abort(error: Error): void;
  readonly closed: Promise<Error | null>;
}
export declare function dialWebSocket(
  target: UpgradeTarget & { protocols: readonly string[] },
): Promise<MessageSocket>;
/** Throws UpgradeError after it has answered (403 without body when nothing matches) and closed the socket. */
export declare function acceptWebSocket(
  exchange: UpgradeExchange & { protocols: readonly string[] },
): MessageSocket;
export declare function spdyOverWebSocket(socket: MessageSocket): ByteChannel;

// ---- what a request asks for
export declare function isUpgradeRequest(request: IncomingMessage): boolean;
export declare function isWebSocketRequest(request: IncomingMessage): boolean;
/** Names in the first `Sec-WebSocket-Protocol` line. */
export declare function webSocketProtocols(request: IncomingMessage): string[];

// ---- pass-through
export interface ProxyError {
  statusCode: number;
  message: string;
}
export interface ProxyUpgradeOptions extends UpgradeExchange {
  /** The whole URL at the backend, with path and query. */
  backend: { url: string | URL; headers?: Record<string, string>; tls?: TlsClientOptions };
  /** How our own errors (500 `error dialing backend: …`) look on the wire. Default: text/plain with the message. */
  renderError?: (error: ProxyError) => { contentType: string; body: string };
  /** Both directions silent for so long: closed. Default 4 h. */
  idleTimeoutMs?: number;
  signal?: AbortSignal | undefined;
}
export interface ProxyOutcome {
  /** Status code the client saw (101 when upgraded). */
  statusCode: number;
  bytesFromClient: number;
  bytesFromBackend: number;
  error: Error | null;
}
/** Resolves when both directions have ended; never rejects. */
export declare function proxyUpgrade(options: ProxyUpgradeOptions): Promise<ProxyOutcome>;

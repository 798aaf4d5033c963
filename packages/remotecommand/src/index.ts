// Signatures first: the bodies follow.
import type { ByteChannel } from '@wherry/bytes';
import type { Clock } from '@wherry/clock';
import type { Logger } from '@wherry/telemetry';
import type { UpgradeExchange, UpgradeTarget } from '@wherry/upgrade';

export interface RemoteCommandStreams {
  stdin: boolean;
  stdout: boolean;
  /** Not together with tty. */
  stderr: boolean;
  tty: boolean;
}
export interface TerminalSize {
  width: number;
  height: number;
}
/** How a command ended. `message` is what the Status says; each has the upstream text as default. */
export type CommandOutcome =
  | { kind: 'exited'; exitCode: number; message?: string | undefined }
  | { kind: 'failed'; message: string };

// ---- server
export interface RemoteCommandSession {
  readonly transport: 'spdy' | 'websocket';
  /** `v4.channel.k8s.io`, …; '' for a WebSocket without one. */
  readonly protocol: string;
  /** Read side only; null when not asked for. end() = client's EOF. */
  readonly stdin: ByteChannel | null;
  /** Write side only; null when not asked for. */
  readonly stdout: ByteChannel | null;
  readonly stderr: ByteChannel | null;
  /** Sizes of the terminal; only the latest is kept until asked for. Done when the session ends. Without tty: empty. */
  readonly sizes: AsyncIterable<TerminalSize>;
  /** Aborts when the client has gone away before the handler was done. */
  readonly signal: AbortSignal;
}
export interface ServeRemoteCommandOptions extends UpgradeExchange {
  /** What the runtime was asked for (not the query). */
  streams: RemoteCommandStreams;
  /** Default: all versions; a kubelet or API server that terminates v5 adds it. */
  protocols?: readonly string[] | undefined;
  /** Runs the process. Its outcome becomes the Status once stdout and stderr were ended or it returned. */
  handler(session: RemoteCommandSession): Promise<CommandOutcome>;
  clock?: Clock | undefined;
  logger?: Logger | undefined;
  /** Default 30 s. */
  streamCreationTimeoutMs?: number | undefined;
  /** Default 4 h. */
  idleTimeoutMs?: number | undefined;
  /** How long to wait for a slow client after the Status. Default: the idle timeout. */
  lingerTimeoutMs?: number | undefined;
}
export interface ServedRemoteCommand {
  /** What became of it: 101 sessions that ran, else the refused upgrade's status. */
  statusCode: number;
  outcome: CommandOutcome | null;
  /** null when the client got everything. */
  error: Error | null;
}
/** Resolves when the connection is gone; never rejects. */
export declare function serveRemoteCommand(options: ServeRemoteCommandOptions): Promise<ServedRemoteCommand>;

// ---- client
export type RemoteCommandErrorCode =
  | 'failure'
  | 'missingStatus'
  | 'badStatus'
  | 'badMessage'
  | 'connectionLost'
  | 'aborted';
export declare class RemoteCommandError extends Error {
  readonly code: RemoteCommandErrorCode;
}
export interface ConnectRemoteCommandOptions extends UpgradeTarget {
  streams: RemoteCommandStreams;
  /** 'auto' = WebSocket v5, then SPDY when the upgrade fails. Default 'auto'. */
  transport?: 'auto' | 'websocket' | 'spdy' | undefined;
  /** WebSocket names to ask for. Default `['v5.channel.k8s.io']`. */
  webSocketProtocols?: readonly string[] | undefined;
  clock?: Clock | undefined;
  logger?: Logger | undefined;
}
export interface RemoteCommandConnection {
  readonly transport: 'spdy' | 'websocket';
  readonly protocol: string;
  /** Write; end() is the process's EOF. null when not asked for. */
  readonly stdin: ByteChannel | null;
  /** Read. */
  readonly stdout: ByteChannel | null;
  readonly stderr: ByteChannel | null;
  /** Latest wins; nothing without tty. */
  resize(size: TerminalSize): void;
  /** The remote exit code once stdout and stderr have been read to their ends; rejects with RemoteCommandError. */
  readonly exitCode: Promise<number>;
  /** Ends the session now. */
  close(): void;
}
/** Rejects with UpgradeError. `signal` ends the session as well as the attempt. */
export declare function connectRemoteCommand(
  options: ConnectRemoteCommandOptions,
): Promise<RemoteCommandConnection>;

// ---- translator WebSocket v5 -> SPDY v4 (API server, kubelet)
export interface TranslateRemoteCommandOptions extends UpgradeExchange {
  streams: RemoteCommandStreams;
  backend: UpgradeTarget;
  clock?: Clock | undefined;
  logger?: Logger | undefined;
  idleTimeoutMs?: number | undefined;
}
/** True for a WebSocket request that names v5. */
export declare function wantsTranslation(request: UpgradeExchange['request']): boolean;
/** `code`: 400 client handshake failed, 200 any exit code, 500 other (label of `…_stream_translator_requests_total`). */
export declare function translateRemoteCommand(
  options: TranslateRemoteCommandOptions,
): Promise<{ code: 200 | 400 | 500; error: Error | null }>;

import type { ByteSink, ByteSource } from '@wherry/bytes';

/** Which streams a command has. */
export interface RemoteCommandStreams {
  stdin: boolean;
  stdout: boolean;
  stderr: boolean;
  tty: boolean;
}

/** The streams that there are of those asked for: a terminal has one output, so stderr falls away with tty. */
export function openableStreams({ stdin, stdout, stderr, tty }: RemoteCommandStreams): RemoteCommandStreams {
  return { stdin, stdout, stderr: stderr && !tty, tty };
}

/** Size of a terminal in characters. */
export interface TerminalSize {
  width: number;
  height: number;
}

/** How a command ended. */
export type CommandOutcome =
  /** It ran. `message` is the runtime's text about it, for people. */
  | { kind: 'exited'; exitCode: number; message?: string | undefined }
  /** It could not be run, or was lost: `error executing command in container: …`, `error attaching to container: …`. */
  | { kind: 'failed'; message: string };

/** How the bytes travel. */
export type RemoteCommandTransport = 'spdy' | 'websocket';

/** A client's session, as the one who runs the command sees it. */
export interface RemoteCommandSession {
  readonly transport: RemoteCommandTransport;
  /** `v4.channel.k8s.io` and so on; '' for a WebSocket that asked for none. */
  readonly protocol: string;
  /** The client's input, ended by its EOF; null when not asked for. Aborting it throws away what still comes. */
  readonly stdin: ByteSource | null;
  /** null when not asked for. Writing obeys the client's pace. */
  readonly stdout: ByteSink | null;
  readonly stderr: ByteSink | null;
  /** Sizes of the client's terminal: only the latest waits to be read. Done when the session ends. */
  readonly sizes: AsyncIterable<TerminalSize>;
  /** Aborts when the client has gone while the command still runs. The `cause` of its reason is null when it closed in order. */
  readonly signal: AbortSignal;
}

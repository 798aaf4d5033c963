import type { ByteChannel, WaitOptions } from '@wherry/bytes';
import type { CommandOutcome, RemoteCommandSession, RemoteCommandStreams } from '@wherry/remotecommand';

/** What every exec or attach request says; whoever runs it adds what is needed to find and start the process. */
export interface CommandRequest extends RemoteCommandStreams {
  containerId: string;
  /** Of an exec; shown to who looks at the session. */
  process?: { args: readonly string[] } | undefined;
}

/** What every port-forward request says. */
export interface ForwardRequest {
  sandboxId: string;
  /** Ports for WebSocket clients that cannot name their own; SPDY clients do. */
  ports: number[];
}

/**
 * What the streaming server needs of a container runtime, and all it knows of it (upstream: the Runtime interface of
 * k8s.io/cri-streaming). Any CRI implementation can put one behind the server.
 */
export interface SessionRunner<
  Exec extends CommandRequest = CommandRequest,
  Attach extends CommandRequest = CommandRequest,
  Forward extends ForwardRequest = ForwardRequest,
> {
  /** Runs a process on the session's streams; resolves when it has ended and its output is written. */
  exec(request: Exec, session: RemoteCommandSession): Promise<CommandOutcome>;
  /** Joins the streams of a container's first process; resolves when it has ended or the client has gone. */
  attach(request: Attach, session: RemoteCommandSession): Promise<CommandOutcome>;
  /** Connects to a port inside the pod. A rejection fails that one connection, with its message. */
  portForward(request: Forward, port: number, options: WaitOptions): Promise<ByteChannel>;
}

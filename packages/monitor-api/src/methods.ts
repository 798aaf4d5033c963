import type { ExecRequest } from '@wherry/cri';
import type { SessionEvent, SessionList } from '@wherry/telemetry';
import type { CheckpointFolders, ContainerStatus, CreateContainerRequest } from './container.ts';
import type { EventMessage, EventPosition } from './events.ts';
import type { OciProcess, OciResources } from './oci-process.ts';

/** Output of a process that ran to its end. */
export interface ExecSyncResult {
  exitCode: number;
  /** Both together are at most 16 MiB less 64 KiB; what came beyond was read and dropped. */
  stdout: Uint8Array;
  stderr: Uint8Array;
}

/** Which streams a session carries. */
export type StreamSelection = Pick<ExecRequest, 'stdin' | 'stdout' | 'stderr' | 'tty'>;

/** A program of the machine that runs to its end, and nothing of a container. */
export interface ProgramRequest {
  /** An absolute path. */
  program: string;
  /** All that it finds in its environment. */
  environment: Record<string, string>;
  stdin: string;
  /** When it passes, the program is killed with its process group and the call fails `DEADLINE_EXCEEDED`. */
  timeoutMs: number;
  /** Most bytes of each output; a program that prints more is killed, and the call fails `RESOURCE_EXHAUSTED`. */
  outputBytesMax: number;
  /** Programs with the same text here follow one another, also those of callers that are gone. */
  turn: string;
}

/** What a program left. */
export interface ProgramOutput {
  exitCode: number;
  stdout: Uint8Array;
  stderr: Uint8Array;
}

interface Method<Params, Result, Notice = never> {
  params: Params;
  result: Result;
  /** What comes repeatedly before the result. */
  notice: Notice;
}

/** Every call of the wire: parameters, result, and the notices of the calls that stay open. */
export interface MonitorMethods {
  version: Method<Record<string, never>, { name: string; version: string; pid: number; ociRuntime: string }>;
  'container.create': Method<CreateContainerRequest, ContainerStatus>;
  'container.start': Method<{ id: string }, ContainerStatus>;
  /** Sends `signal` to the first process, or with `all` to every process of the container's cgroup. */
  'container.kill': Method<{ id: string; signal: number; all?: boolean }, Record<string, never>>;
  /** Answers once the container has ended and its output is in the log. */
  'container.wait': Method<{ id: string }, ContainerStatus>;
  /** Removes an ended (with `force`: any) container from the OCI runtime and the monitor. The log stays. Unknown id: fine. */
  'container.delete': Method<{ id: string; force?: boolean }, Record<string, never>>;
  'container.list': Method<Record<string, never>, { containers: ContainerStatus[] }>;
  'container.status': Method<{ id: string }, ContainerStatus>;
  'container.update': Method<{ id: string; resources: OciResources }, Record<string, never>>;
  /** After a rename of the log file: goes on in a new file at the old path. It exists when the call returns. */
  'container.reopenLog': Method<{ id: string }, Record<string, never>>;
  /**
   * Writes the state of a running container's processes, and tells so by a notice; they stand still then until
   * `container.resume`, or until the caller gives up, and the call answers once they go on.
   */
  'container.checkpoint': Method<
    { id: string } & CheckpointFolders,
    Record<string, never>,
    Record<string, never>
  >;
  /** Lets the processes go on that a checkpoint holds. None: fine. */
  'container.resume': Method<{ id: string }, Record<string, never>>;
  /** `timeoutMs` 0 waits for ever. When it passes, the process is killed and the call fails `DEADLINE_EXCEEDED`. */
  'exec.sync': Method<{ containerId: string; process: OciProcess; timeoutMs: number }, ExecSyncResult>;
  /** Whoever goes or gives up ends the program and its process group. */
  'program.run': Method<ProgramRequest, ProgramOutput>;
  'stream.exec': Method<{ containerId: string; process: OciProcess } & StreamSelection, { url: string }>;
  'stream.attach': Method<{ containerId: string } & StreamSelection, { url: string }>;
  'stream.portForward': Method<
    {
      sandboxId: string;
      /** The pod's network namespace; null for the host's own. */
      networkNamespacePath: string | null;
      /** Ports for clients of the WebSocket dialect; SPDY clients name theirs. */
      ports: number[];
    },
    { url: string }
  >;
  /** The sandbox has stopped: its port-forward sessions end. */
  'stream.endForwards': Method<{ sandboxId: string }, Record<string, never>>;
  /** The sessions of the streaming server; with an id those of that id. */
  'session.list': Method<{ id?: string }, SessionList>;
  /** Tells of them as they begin, change and end, until the caller gives up. Too many who do: `RESOURCE_EXHAUSTED`. */
  'session.watch': Method<{ id?: string }, Record<string, never>, SessionEvent>;
  'events.subscribe': Method<{ after: EventPosition | null }, Record<string, never>, EventMessage>;
}

/** The name of a call. */
export type MonitorMethodName = keyof MonitorMethods;

/** Which process of the way tells of a session. */
export type SessionHop = 'apiserver' | 'kubelet' | 'streaming-server';

/** What a session carries. */
export type SessionKind = 'exec' | 'attach' | 'portforward' | 'log';

/** One direction of one stream, as one hop sees it. */
export interface SessionFlow {
  /** Bytes that this hop has read of it. */
  bytes: number;
  /** Bytes that wait here for the side they go to; of its whole connection, where streams share one. Absent: none, or not known. */
  heldBytes?: number;
  /** The side that takes no more, while that is so. */
  waitsFor?: 'client' | 'backend' | 'process';
  /** RFC 3339, as all times here: since when. */
  waitingSince?: string;
}

/** One stream of a session: stdin, stdout or stderr; a port; or the whole connection, where a hop does not look into it. */
export interface SessionStream {
  name: 'stdin' | 'stdout' | 'stderr' | 'port' | 'log' | 'connection';
  /** With the name `port`; absent for those beyond the bound, which are told of together. */
  port?: number;
  /** With the name `port`. */
  connections?: { open: number; total: number; failed: number };
  /** From the client towards the process. */
  up?: SessionFlow;
  /** From the process towards the client. */
  down?: SessionFlow;
}

/** A neighbour of the hop. */
export interface SessionSide {
  /** `WebSocket v5.channel.k8s.io`, `SPDY/3.1 v4.channel.k8s.io` and the like, once it is agreed on. */
  protocol?: string;
  /** `HOST:PORT`. */
  address?: string;
}

/** How a session ended, as far as this hop knows. */
export interface SessionEnd {
  time: string;
  /**
   * `exited`: the command did, or the attached process; `failed`: it could not be run, or was lost; `refused`: the upgrade
   * was; `closed`: both directions ended in order; `broken`: they did not.
   */
  reason: 'exited' | 'failed' | 'refused' | 'closed' | 'broken';
  /** With `exited`. */
  exitCode?: number;
  /** With `refused`: what the client was answered. */
  statusCode?: number;
  /** Who ended it, where that can be seen from here. */
  by?: 'client' | 'backend' | 'process' | 'hop';
  message?: string;
}

/** One session at one hop. What the hop does not know is absent. */
export interface Session {
  /** The same at every hop. */
  id: string;
  /** Names it among all that this process has had. */
  key: string;
  kind: SessionKind;
  state: 'connecting' | 'open' | 'ended';
  /** The client's own name for its request (`Audit-ID`), where it gave one: such a name is never a session's id. */
  auditId?: string;
  namespace?: string;
  pod?: string;
  podUid?: string;
  container?: string;
  containerId?: string;
  sandboxId?: string;
  /** Where it leads. */
  node?: string;
  user?: string;
  /** Of an exec. */
  command?: string[];
  /** There was more of the command. */
  commandIsCut?: boolean;
  /** Those that the request named. */
  ports?: number[];
  client: SessionSide;
  backend?: SessionSide;
  startTime: string;
  /** When both sides were joined. */
  openTime?: string;
  /** When a byte passed last. */
  lastActivityTime?: string;
  streams: SessionStream[];
  end?: SessionEnd;
}

/** All sessions of one process: those that go on, and for a while those that have ended. */
export interface SessionList {
  kind: 'SessionList';
  hop: SessionHop;
  /** Whose kubelet it is. */
  node?: string;
  /** When this was written. */
  time: string;
  items: Session[];
  /** Sessions that go on and are not among `items`, which has a bound. */
  unlisted?: number;
}

/** One step of a watch, which begins with all there is: `ADDED` for what goes on, `ENDED` for what is kept. */
export interface SessionEvent {
  type: 'ADDED' | 'MODIFIED' | 'ENDED';
  time: string;
  object: Session;
}

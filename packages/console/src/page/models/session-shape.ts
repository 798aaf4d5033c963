/** What a hop of wherry says of the sessions that go through it (`GET /debug/sessions`), as far as the page shows it. */
export interface HopSessions {
  hop: string;
  node?: string;
  /** When it was written, by the clock of the hop's machine. */
  time: string;
  items: readonly StreamSession[];
}

/** One session at one hop. */
export interface StreamSession {
  /** The same at all hops. */
  id: string;
  /** Unique in the hop's process. */
  key: string;
  kind: string;
  state: string;
  namespace?: string;
  pod?: string;
  container?: string;
  node?: string;
  user?: string;
  command?: readonly string[];
  commandIsCut?: boolean;
  ports?: readonly number[];
  client?: { protocol: string; address?: string };
  backend?: { protocol: string; address?: string };
  startTime: string;
  openTime?: string;
  streams: readonly SessionStream[];
  end?: { reason: string; exitCode?: number; statusCode?: number; by?: string; message?: string };
}

/** One stream of a session. */
export interface SessionStream {
  name: string;
  up?: SessionFlow;
  down?: SessionFlow;
}

/** One direction of a stream. */
export interface SessionFlow {
  bytes: number;
  heldBytes?: number;
  waitsFor?: string;
  waitingSince?: string;
}

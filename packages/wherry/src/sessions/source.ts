import type { SessionEvent, SessionHop, SessionList } from '@wherry/telemetry';

/** A process that can be asked for the sessions that it carries. */
export interface SessionSource {
  hop: SessionHop;
  /** Whose kubelet or streaming server it is. */
  node?: string;
  /** Throws what `reasonOf` puts in words. */
  list(signal: AbortSignal): Promise<SessionList>;
  /** Tells of all that there is, then of changes, until the process ends the watch. Throws as {@link list} does. */
  watch(told: (event: SessionEvent) => void, signal: AbortSignal): Promise<void>;
}

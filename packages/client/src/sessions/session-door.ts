import type { RemoteCommandConnection } from '@wherry/remotecommand';
import type { SessionRequest } from './session.ts';

/** Where sessions leave: Node's upgrades over WebSocket or SPDY, or a browser's WebSocket. */
export interface SessionDoor {
  /** Rejects with `StatusError`, `ClientError` or `signal.reason`. */
  openSession(request: SessionRequest): Promise<RemoteCommandConnection>;
}

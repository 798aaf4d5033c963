import type { IncomingMessage } from 'node:http';
import {
  auditIdHeader,
  hostAndPort,
  type LiveSession,
  type SessionBook,
  type SessionFacts,
} from '@wherry/telemetry';
import { headerLines } from '@wherry/upgrade';

/** Writes down that a session begins, with what its request says: the id that a server before gave it, and the client's address. */
export function openSession(
  sessions: SessionBook,
  request: IncomingMessage,
  facts: Omit<SessionFacts, 'id' | 'clientAddress'>,
): LiveSession {
  const { remoteAddress, remotePort } = request.socket;
  return sessions.open({
    ...facts,
    id: headerLines(request, auditIdHeader)[0],
    clientAddress: hostAndPort(remoteAddress, remotePort),
  });
}

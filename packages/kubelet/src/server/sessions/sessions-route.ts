import type { IncomingMessage, ServerResponse } from 'node:http';
import { answerSessions, type SessionBook } from '@wherry/telemetry';
import { HttpError, leavingOf } from '../answers.ts';

/** Where the sessions of this kubelet are listed, and watched. */
export const sessionsPath = '/debug/sessions';

/** `GET /debug/sessions`, with `?watch=1` for events and `?id=…` for one session. Throws 405, and 429 when too many watch. */
export async function serveSessions(
  sessions: SessionBook,
  { method }: IncomingMessage,
  response: ServerResponse,
  { searchParams }: URL,
): Promise<void> {
  if (method !== 'GET') throw new HttpError(405, 'Method Not Allowed', [['Allow', 'GET']]);
  const watch = ['1', 'true'].includes(searchParams.get('watch') ?? '');
  const asked = { watch, id: searchParams.get('id') || undefined };
  if (await answerSessions(sessions, asked, { response, signal: leavingOf(response) })) return;
  throw new HttpError(429, 'too many watch the sessions of this kubelet already', [['Retry-After', '1']]);
}

import { ClientError, StatusError } from '@wherry/client';
import { plainText } from '@wherry/telemetry/session-paths';
import { describeUnreachable } from '../output/unreachable.ts';

/** Why a hop does not tell of its sessions, on one line. */
export function reasonOf(error: unknown): string {
  if (isWithoutSessions(error))
    return "it has no list of sessions; /debug/sessions is wherry's own, upstream's servers have none";
  if (error instanceof ClientError && error.code === 'unreachable')
    return plainText(describeUnreachable(error));
  if (!(error instanceof Error)) return 'it fails';
  const code = systemCodeOf(error.cause);
  if (code === 'EACCES' || code === 'EPERM') return 'its socket is for root alone: run this with sudo';
  return plainText(error.message);
}

/** True of a server that does not have the path: it tells so in text, where of what is missing there it tells a Status. */
export function isWithoutSessions(error: unknown): boolean {
  if (!(error instanceof StatusError) || error.code !== 404) return false;
  const causes = error.status.details?.causes ?? [];
  return causes.some(({ reason }) => reason === 'UnexpectedServerResponse');
}

/** True of what asking again does not change: nothing is there, or it is for others. */
export function isForGood(error: unknown): boolean {
  const refused = [401, 403, 404];
  if (error instanceof StatusError) return refused.includes(error.code);
  return error instanceof Error && ['EACCES', 'EPERM'].includes(systemCodeOf(error.cause) ?? '');
}

function systemCodeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

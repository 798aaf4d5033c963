import type { SessionHop } from '../sessions/shape.ts';
import type { SessionPath } from './join.ts';

/** A process that carries sessions and whose list could not be had. */
export interface UnseenHop {
  hop: SessionHop;
  /** Absent: of whatever node. */
  node?: string;
  reason: string;
}

const notListed = 'it does not list this session, or no longer';

/** The hops that are on the way of a session and do not tell of it, each with why. */
export function unseenHops(path: SessionPath, unseen: readonly UnseenHop[]): UnseenHop[] {
  return missingHops(path).flatMap((hop) => {
    const { node } = path;
    const isIt = (one: UnseenHop) =>
      one.hop === hop && (hop === 'apiserver' || one.node === undefined || one.node === node);
    const known = unseen.find(isIt);
    const where = hop === 'apiserver' || node === undefined ? {} : { node };
    if (known) return [{ hop, ...where, reason: known.reason }];
    // Who asks a kubelet or a runtime itself does not go through an API server.
    return hop === 'apiserver' ? [] : [{ hop, ...where, reason: notListed }];
  });
}

/** Those that should tell of it: the way may begin at any hop, and a log ends at the kubelet. */
function missingHops({ kind, hops }: SessionPath): SessionHop[] {
  const has = (hop: SessionHop) => hops.some((one) => one.hop === hop);
  const missing: SessionHop[] = [];
  if (!has('apiserver')) missing.push('apiserver');
  if (!has('kubelet') && has('apiserver')) missing.push('kubelet');
  if (!has('streaming-server') && kind !== 'log') missing.push('streaming-server');
  return missing;
}

import { hasCode, type RateLimit, type RouteNetlink } from '@wherry/linux';
import { RuntimeError } from '../errors.ts';
import { limits } from '../limits.ts';
import type { PodRates } from './bandwidth.ts';

const detourPrefix = 'wi';

/** The interface through which goes what a limited pod sends, by the machine's end of its cable. */
export const detourOf = (cable: string): string => `${detourPrefix}${cable.slice(detourPrefix.length)}`;

function limitOf(bitsPerSecond: number): RateLimit {
  const bytesPerSecond = bitsPerSecond / 8;
  const burstBytes = Math.max(limits.rateBurstBytesMin, (bytesPerSecond * limits.rateBurstMs) / 1000);
  return {
    bytesPerSecond,
    burstBytes,
    queueBytes: burstBytes + (bytesPerSecond * limits.rateQueueMs) / 1000,
  };
}

/**
 * Bounds what goes to a pod where the machine's end of its cable sends it, and what the pod sends on a detour of the
 * machine's: both out of the pod's reach, whatever it may do in its own namespace. Throws `RuntimeError`
 * FAILED_PRECONDITION where the kernel can't.
 */
export function limitRates(
  routes: RouteNetlink,
  { ingress, egress }: PodRates,
  { cable, owner }: { cable: string; owner: string },
): void {
  if (ingress !== undefined) needing('sch_tbf', 'ENOENT', () => routes.limitSending(cable, limitOf(ingress)));
  if (egress === undefined) return;
  const detour = detourOf(cable);
  needing('ifb', 'EOPNOTSUPP', () => routes.createDetour(detour, owner));
  needing('sch_tbf', 'ENOENT', () => routes.limitSending(detour, limitOf(egress)));
  needing('sch_ingress, cls_u32 or act_mirred', 'ENOENT', () => routes.divertReceived(cable, detour));
}

/** Takes away the detours of `owner` that belong to none of the cables. */
export function removeDetours(routes: RouteNetlink, owner: string, cables: readonly string[]): void {
  const kept = new Set(cables.map(detourOf));
  for (const { name, kind, alias } of routes.links())
    if (kind === 'ifb' && alias === owner && !kept.has(name)) routes.deleteLink(name);
}

function needing(part: string, code: string, action: () => void): void {
  try {
    action();
  } catch (error) {
    if (!hasCode(error, code)) throw error;
    throw new RuntimeError(
      'FAILED_PRECONDITION',
      `a bandwidth limit needs ${part} of the kernel, which is not there; load it, or remove the annotation`,
      { cause: error },
    );
  }
}

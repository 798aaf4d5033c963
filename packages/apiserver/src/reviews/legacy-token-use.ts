import type { Clock } from '@wherry/clock';
import type { Secret } from '@wherry/kubeapi';
import type { Logger } from '@wherry/telemetry';
import type { ObjectStorage } from '../objects/object-storage.ts';

const lastUsed = 'kubernetes.io/legacy-token-last-used';
const dayMs = 24 * 3_600_000;
const dayOf = (timeMs: number) => new Date(timeMs).toISOString().slice(0, 'YYYY-MM-DD'.length);

/**
 * Notes on which day the token in a secret was used last (UTC): one write a day. Another server may be past midnight
 * already. That it can't be noted keeps nobody out, as upstream.
 */
export async function noteLegacyUse(
  { metadata }: Secret,
  { storage, clock, logger }: { storage: ObjectStorage; clock: Clock; logger: Logger },
): Promise<void> {
  const nowMs = clock.nowMs();
  const today = dayOf(nowMs);
  const noted = metadata.labels?.[lastUsed];
  if (noted === today || noted === dayOf(nowMs + dayMs)) return;
  const { namespace = '', name = '', uid } = metadata;
  try {
    await storage.change({
      namespace,
      name,
      preconditions: { uid },
      change: (current) => {
        const labels = { ...current.metadata.labels, [lastUsed]: today };
        return { next: { ...current, metadata: { ...current.metadata, labels } } };
      },
    });
  } catch (error) {
    logger.warn('the last use of a token could not be noted', { namespace, secret: name, error });
  }
}

import { isDeepStrictEqual } from 'node:util';
import type { Clock } from '@wherry/clock';
import { type JsonObject, type ServiceCIDR, timeFromMs } from '@wherry/kubeapi';
import type { Logger } from '@wherry/telemetry';
import { parseRanges } from '../admission/services/address-range.ts';
import { defaultRangeName } from '../admission/services/service-ranges.ts';
import { as } from '../objects/api-object.ts';
import type { Collection } from '../registry/collection.ts';
import { ensure } from './ensure.ts';

/** What the range is written with. */
export interface ServiceRangeOptions {
  /** ServiceCIDRs. */
  cidrs: Collection;
  /** Of the flag. */
  serviceRange: string;
  clock: Clock;
  logger: Logger;
}

/**
 * The ServiceCIDR of the flag, ready from the first moment. One of a single family gets the flag's second; any that says
 * something else stays as it is.
 */
export async function ensureServiceRange(options: ServiceRangeOptions): Promise<void> {
  const { cidrs, serviceRange, clock, logger } = options;
  const wanted = parseRanges(serviceRange).map(({ text }) => text);
  await ensure(cidrs, { metadata: { name: defaultRangeName }, spec: { cidrs: wanted } });
  await cidrs.storage.change({
    namespace: '',
    name: defaultRangeName,
    change: (current) => {
      const { metadata, spec, status: known } = as<ServiceCIDR>(current);
      if (metadata && spec?.cidrs?.length === 1 && wanted.length === 2 && spec.cidrs[0] === wanted[0]) {
        const generation = (metadata.generation ?? 1) + 1;
        return {
          next: { ...current, metadata: { ...current.metadata, generation }, spec: { cidrs: wanted } },
        };
      }
      if (!isDeepStrictEqual(spec?.cidrs, wanted)) {
        logger.warn('the ServiceCIDR is not what the flag says', { wanted, stored: spec?.cidrs });
        return { next: current };
      }
      const conditions = known?.conditions ?? [];
      if (metadata?.deletionTimestamp || conditions.some(({ type }) => type === 'Ready'))
        return { next: current };
      const message = 'Kubernetes default Service CIDR is ready';
      const ready = { type: 'Ready', status: 'True', reason: '', message };
      const lastTransitionTime = timeFromMs(clock.nowMs());
      const status = { conditions: [...conditions, { ...ready, lastTransitionTime }] };
      return { next: { ...current, status: status as unknown as JsonObject } };
    },
  });
}

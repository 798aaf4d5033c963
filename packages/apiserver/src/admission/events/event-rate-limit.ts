import { aggregateText, type Event, type EventsV1Event, tooManyRequests } from '@wherry/kubeapi';
import { as } from '../../objects/api-object.ts';
import type { AdmissionPlugin, AdmissionRequest } from '../admission.ts';
import type { PluginParts } from '../plugin-parts.ts';
import { type LimitType, type RateLimit, readRateLimits } from './rate-limits.ts';
import { TokenBuckets } from './token-buckets.ts';

interface Limit {
  type: LimitType;
  buckets: TokenBuckets;
}

/** Events come no faster than the configuration says: to the server, of a namespace, of a user, or of one source about one object. */
export function eventRateLimit({ clock }: Pick<PluginParts, 'clock'>): AdmissionPlugin {
  let limits: readonly Limit[] = [];
  const limitOf = ({ type, ...rate }: RateLimit): Limit => ({ type, buckets: new TokenBuckets(rate, clock) });
  return {
    name: 'EventRateLimit',
    isOffByDefault: true,
    handles: [{ operations: ['CREATE', 'UPDATE'], resources: ['/events', 'events.k8s.io/events'] }],
    configure(given) {
      limits = readRateLimits(given).map(limitOf);
    },
    validate(request) {
      if (request.dryRun) return;
      const reached = limits.flatMap(({ type, buckets }) => {
        const key = keyOf(type, request);
        return buckets.take(key) ? [] : [`limit reached on type ${type} for key ${key}`];
      });
      if (reached.length > 0) throw tooManyRequests(`Too many requests: ${aggregateText(reached)}`, 0);
    },
  };
}

function keyOf(type: LimitType, { namespace, user, object }: AdmissionRequest): string {
  if (type === 'Server') return '';
  if (type === 'Namespace') return namespace;
  if (type === 'User') return user.name;
  const { source, involvedObject } = as<Partial<Event>>(object!);
  const { deprecatedSource, regarding } = as<Partial<EventsV1Event>>(object!);
  const { component = '', host = '' } = source ?? deprecatedSource ?? {};
  const about = involvedObject ?? regarding ?? {};
  const { kind = '', namespace: place = '', name = '', uid = '', apiVersion = '' } = about;
  return [component, host, kind, place, name, uid, apiVersion].join('');
}

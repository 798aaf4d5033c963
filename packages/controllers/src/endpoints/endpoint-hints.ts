import type { Endpoint, Service } from '@wherry/kubeapi/objects';

/** What `trafficDistribution` may say for hints to be given; only the last names nodes. */
const sameZone = new Set(['PreferClose', 'PreferSameZone', 'PreferSameNode']);

/**
 * For whom an endpoint is meant, as its service's `trafficDistribution` wants it: those of its zone, or of its node first
 * (upstream: k8s.io/endpointslice/trafficdist). What is not ready is meant for nobody.
 */
export function hintsOf(
  { spec }: Service,
  { ready, zone, nodeName }: { ready: boolean; zone: string | undefined; nodeName: string | undefined },
): Pick<Endpoint, 'hints'> {
  const wish = spec?.trafficDistribution ?? '';
  if (!ready || !sameZone.has(wish)) return {};
  const hints = {
    ...(zone ? { forZones: [{ name: zone }] } : {}),
    ...(nodeName && wish === 'PreferSameNode' ? { forNodes: [{ name: nodeName }] } : {}),
  };
  return Object.keys(hints).length > 0 ? { hints } : {};
}

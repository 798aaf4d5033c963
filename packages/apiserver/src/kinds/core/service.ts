import { addressWarnings, rangeWarnings, type Service } from '@wherry/kubeapi';
import { as } from '../../objects/api-object.ts';
import { balancerWarnings } from '../balancer-warnings.ts';
import type { ServedKind } from '../definition.ts';
import { proxyHandler } from '../proxy-handler.ts';

/** Services. */
export const service: ServedKind = {
  group: '',
  kind: 'Service',
  strategy: {
    returnsDeleted: true,
    createsOnUpdate: true,
    warningsOf: (object) => serviceWarnings(as<Service>(object)),
    statusWarningsOf: balancerWarnings,
    prepareUpdate(next, previous) {
      next.status = previous.status!;
      // Whoever is no load balancer any more has none of its addresses, be it still being taken apart.
      if (as<Service>(next).spec?.type !== 'LoadBalancer') next.status = { ...next.status, loadBalancer: {} };
    },
  },
  handlers: (parts) => ({ proxy: proxyHandler(parts) }),
};

const hints = 'service.kubernetes.io/topology-aware-hints';
const hintsAdvice = `annotation ${hints} is deprecated, please use service.kubernetes.io/topology-mode instead`;

/** What of a service has no effect, or won't have for long, or is written oddly (upstream: pkg/api/service/warnings.go). */
function serviceWarnings({ metadata, spec }: Service): string[] {
  const { type, clusterIP, clusterIPs = [], externalIPs = [], loadBalancerIP = '' } = spec;
  const isNamed = type === 'ExternalName';
  const isHeadless = type === 'ClusterIP' && clusterIP === 'None';
  const hasExternal = externalIPs.length > 0;
  const ignored = (field: string) => `spec.${field} is ignored for headless services`;
  const saidIf = (isSo: boolean, said: string) => (isSo ? [said] : []);
  return [
    ...saidIf(Object.hasOwn(metadata.annotations ?? {}, hints), hintsAdvice),
    ...clusterIPs.flatMap((address, index) => addressWarnings(`spec.clusterIPs[${index}]`, address)),
    ...saidIf(isHeadless && loadBalancerIP !== '', ignored('loadBalancerIP')),
    ...saidIf(isHeadless && hasExternal, ignored('externalIPs')),
    ...saidIf(isHeadless && spec.sessionAffinity !== 'None', ignored('SessionAffinity')),
    ...externalIPs.flatMap((address, index) => addressWarnings(`spec.externalIPs[${index}]`, address)),
    ...saidIf(
      hasExternal && !isHeadless && !isNamed,
      'spec.externalIPs is deprecated and may no longer be implemented in some clusters',
    ),
    ...addressWarnings('spec.loadBalancerIP', loadBalancerIP),
    ...(spec.loadBalancerSourceRanges ?? []).flatMap((range, index) =>
      rangeWarnings(`spec.loadBalancerSourceRanges[${index}]`, range),
    ),
    ...saidIf(isNamed && hasExternal, 'spec.externalIPs is ignored when spec.type is "ExternalName"'),
    ...saidIf(
      !isNamed && Boolean(spec.externalName),
      'spec.externalName is ignored when spec.type is not "ExternalName"',
    ),
    ...saidIf(
      spec.trafficDistribution === 'PreferClose',
      'spec.trafficDistribution: "PreferClose" is deprecated; use "PreferSameZone"',
    ),
  ];
}

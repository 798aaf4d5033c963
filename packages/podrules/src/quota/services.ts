import type { Service } from '@wherry/kubeapi/objects';
import { countOf, objectCountName, type QuotaMeasure } from './measure.ts';

const countName = objectCountName({ group: '', plural: 'services' });
const names = [countName, 'services', 'services.nodeports', 'services.loadbalancers'];

/** Services, their node ports and load balancers. */
export const serviceMeasure: QuotaMeasure<Service> = {
  measures: (name) => names.includes(name),
  usage: (service) =>
    new Map([
      [countName, countOf(1)],
      ['services', countOf(1)],
      ['services.nodeports', countOf(nodePorts(service))],
      ['services.loadbalancers', countOf(service.spec?.type === 'LoadBalancer' ? 1 : 0)],
    ]),
  mayUseMore: (_next, _previous, subresource) => subresource === '',
};

/** Those that will be given out as well. */
function nodePorts({ spec }: Service): number {
  const ports = spec?.ports ?? [];
  if (spec?.type === 'NodePort') return ports.length;
  if (spec?.type !== 'LoadBalancer') return 0;
  if (spec.allocateLoadBalancerNodePorts !== false) return ports.length;
  return ports.filter(({ nodePort }) => nodePort !== undefined && nodePort !== 0).length;
}

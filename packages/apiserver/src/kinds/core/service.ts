import type { Service } from '@wherry/kubeapi';
import { as } from '../../objects/api-object.ts';
import type { ServedKind } from '../definition.ts';
import { proxyHandler } from '../proxy-handler.ts';

/** Services. */
export const service: ServedKind = {
  group: '',
  kind: 'Service',
  strategy: {
    returnsDeleted: true,
    createsOnUpdate: true,
    prepareUpdate(next, previous) {
      next.status = previous.status!;
      // Whoever is no load balancer any more has none of its addresses, be it still being taken apart.
      if (as<Service>(next).spec?.type !== 'LoadBalancer') next.status = { ...next.status, loadBalancer: {} };
    },
  },
  handlers: (parts) => ({ proxy: proxyHandler(parts) }),
};

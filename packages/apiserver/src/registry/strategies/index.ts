import { periods } from '../../limits.ts';
import type { Strategy } from '../strategy.ts';
import { namespaceStrategy } from './namespaces.ts';
import { podStrategy } from './pods.ts';

const returnsDeleted: Strategy = { returnsDeleted: true };
const createsOnUpdate: Strategy = { createsOnUpdate: true };
const eventStrategy: Strategy = { lifetimeMs: periods.eventLifetimeMs, createsOnUpdate: true };

/** By `group/plural`; what is not listed is a plain stored object. */
const strategies: Record<string, Strategy> = {
  '/pods': podStrategy,
  '/namespaces': namespaceStrategy,
  '/events': eventStrategy,
  'events.k8s.io/events': eventStrategy,
  // A kubelet registers its node with the first status.
  '/nodes': { prepareCreate() {} },
  '/services': { returnsDeleted: true, createsOnUpdate: true },
  '/serviceaccounts': returnsDeleted,
  '/persistentvolumes': returnsDeleted,
  '/persistentvolumeclaims': returnsDeleted,
  '/podtemplates': returnsDeleted,
  '/resourcequotas': returnsDeleted,
  '/endpoints': createsOnUpdate,
  '/limitranges': createsOnUpdate,
  '/replicationcontrollers': { createsOnUpdate: true, orphansByDefault: true },
  'batch/jobs': { orphansByDefault: true },
  'coordination.k8s.io/leases': { createsOnUpdate: true, needsVersionOnUpdate: true },
  'rbac.authorization.k8s.io/roles': createsOnUpdate,
  'rbac.authorization.k8s.io/rolebindings': createsOnUpdate,
  'rbac.authorization.k8s.io/clusterroles': createsOnUpdate,
  'rbac.authorization.k8s.io/clusterrolebindings': createsOnUpdate,
};

/** How objects of this resource behave. */
export function strategyOf(group: string, plural: string): Strategy {
  return strategies[`${group}/${plural}`] ?? {};
}

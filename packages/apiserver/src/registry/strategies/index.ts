import { ownValue, type ResourceFacts, type Secret } from '@wherry/kubeapi';
import { periods } from '../../limits.ts';
import { type ApiObject, as } from '../api-object.ts';
import type { ServedResource, Strategy } from '../strategy.ts';
import { certificateRequestStrategy } from './certificate-requests.ts';
import { eventConversion } from './event-conversion.ts';
import { namespaceStrategy } from './namespaces.ts';
import { podStrategy } from './pods.ts';

const returnsDeleted: Strategy = { returnsDeleted: true };
const createsOnUpdate: Strategy = { createsOnUpdate: true };
const eventStrategy: Strategy = { lifetimeMs: periods.eventLifetimeMs, createsOnUpdate: true };

/** `stringData` is a way of writing `data` without base64; it is never read back. */
function foldStringData(object: ApiObject): void {
  const secret = as<Secret>(object);
  const { stringData } = secret;
  if (!stringData) return;
  const encoded = Object.entries(stringData).map(([key, text]) => [
    key,
    Buffer.from(text).toString('base64'),
  ]);
  secret.data = { ...secret.data, ...Object.fromEntries(encoded) };
  delete secret.stringData;
}

/** By `group/plural`; what is not listed is a plain stored object. */
const strategies: Record<string, Strategy> = {
  '/pods': podStrategy,
  '/namespaces': namespaceStrategy,
  '/events': eventStrategy,
  'events.k8s.io/events': eventStrategy,
  // A kubelet registers its node with the first status.
  '/nodes': { prepareCreate() {} },
  '/secrets': { normalize: foldStringData },
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
  'certificates.k8s.io/certificatesigningrequests': certificateRequestStrategy,
  'coordination.k8s.io/leases': { createsOnUpdate: true, needsVersionOnUpdate: true },
  'rbac.authorization.k8s.io/roles': createsOnUpdate,
  'rbac.authorization.k8s.io/rolebindings': createsOnUpdate,
  'rbac.authorization.k8s.io/clusterroles': createsOnUpdate,
  'rbac.authorization.k8s.io/clusterrolebindings': createsOnUpdate,
};

/** A resource with its behaviour and its place in the store. */
export function toServedResource(facts: ResourceFacts): ServedResource {
  const { group, plural } = facts;
  const strategy = ownValue(strategies, `${group}/${plural}`) ?? {};
  if (group === 'events.k8s.io') {
    return { facts, strategy, keyPrefix: '/events/', conversion: eventConversion };
  }
  return { facts, strategy, keyPrefix: group === '' ? `/${plural}/` : `/${group}/${plural}/` };
}

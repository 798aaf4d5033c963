import type { Lease } from '@wherry/kubeapi';
import { type ApiObject, as } from '../../objects/api-object.ts';
import type { ServedKind } from '../definition.ts';

/** Leases. */
export const lease: ServedKind = {
  group: 'coordination.k8s.io',
  kind: 'Lease',
  strategy: {
    createsOnUpdate: true,
    needsVersionOnUpdate: true,
    prepareCreate: (object) => dropCoordination(object, undefined),
    prepareUpdate: dropCoordination,
  },
};

/** Nobody chooses leaders for others here (upstream: CoordinatedLeaderElection, which is off): only what was there stays. */
function dropCoordination(object: ApiObject, previous: ApiObject | undefined): void {
  const { spec } = as<Lease>(object);
  const before = previous && as<Lease>(previous).spec;
  for (const name of ['strategy', 'preferredHolder'] as const)
    if (spec && before?.[name] === undefined) delete spec[name];
}

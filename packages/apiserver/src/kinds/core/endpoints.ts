import { addressWarnings, type Endpoints } from '@wherry/kubeapi';
import { as } from '../../objects/api-object.ts';
import type { ServedKind } from '../definition.ts';

/** Endpoints. */
export const endpoints: ServedKind = {
  group: '',
  kind: 'Endpoints',
  warning: 'v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice',
  strategy: {
    createsOnUpdate: true,
    warningsOf(object) {
      const { metadata, subsets = [] } = as<Endpoints>(object);
      if (metadata.labels?.['endpoints.kubernetes.io/managed-by'] === 'endpoint-controller') return [];
      return subsets.flatMap((subset, index) =>
        (['addresses', 'notReadyAddresses'] as const).flatMap((name) =>
          (subset[name] ?? []).flatMap(({ ip }, at) =>
            addressWarnings(`subsets[${index}].${name}[${at}].ip`, ip),
          ),
        ),
      );
    },
  },
};

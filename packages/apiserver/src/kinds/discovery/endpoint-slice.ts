import { addressWarnings, type EndpointSlice } from '@wherry/kubeapi';
import { as } from '../../objects/api-object.ts';
import type { ServedKind } from '../definition.ts';

/** Who makes slices writes addresses in the one way; what they come from is looked at elsewhere. */
const makers: unknown[] = ['endpointslice-controller.k8s.io', 'endpointslicemirroring-controller.k8s.io'];

/** Endpoint slices: all of them but metadata is desired, and labels as well. */
export const endpointSlice: ServedKind = {
  group: 'discovery.k8s.io',
  kind: 'EndpointSlice',
  strategy: {
    desired: ({ metadata, ...rest }) => [rest, metadata.labels ?? {}],
    warningsOf(object, previous) {
      const { metadata, addressType, endpoints = [] } = as<EndpointSlice>(object);
      const isNamed = !previous && addressType === 'FQDN';
      const maker = metadata.labels?.['endpointslice.kubernetes.io/managed-by'];
      const looked = makers.includes(maker) ? [] : endpoints;
      return [
        ...(isNamed ? ['spec.addressType: FQDN endpoints are deprecated'] : []),
        ...looked.flatMap(({ addresses = [] }, index) =>
          addresses.flatMap((address, at) =>
            addressWarnings(`endpoints[${index}].addresses[${at}]`, address),
          ),
        ),
      ];
    },
  },
};

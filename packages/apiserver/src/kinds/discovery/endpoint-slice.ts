import type { ServedKind } from '../definition.ts';

/** Endpoint slices: all of them but metadata is desired, and labels as well. */
export const endpointSlice: ServedKind = {
  group: 'discovery.k8s.io',
  kind: 'EndpointSlice',
  strategy: {
    desired: ({ metadata, ...rest }) => [rest, metadata.labels ?? {}],
  },
};

import type { ServedKind } from '../definition.ts';

/** Endpoint slices. */
export const endpointSlice: ServedKind = {
  group: 'discovery.k8s.io',
  kind: 'EndpointSlice',
  isServed: true,
};

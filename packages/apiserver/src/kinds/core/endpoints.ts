import type { ServedKind } from '../definition.ts';

/** Endpoints. */
export const endpoints: ServedKind = {
  group: '',
  kind: 'Endpoints',
  warning: 'v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice',
  strategy: { createsOnUpdate: true },
};

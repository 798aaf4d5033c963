import type { ServedKind } from '../definition.ts';
import { proxyHandler } from '../proxy-handler.ts';

/** Nodes. */
export const node: ServedKind = {
  group: '',
  kind: 'Node',
  // A kubelet registers its node with the first status.
  strategy: {
    prepareCreate() {},
    warningsOf: ({ spec }) =>
      spec?.['externalID'] ? ['spec.externalID: this field is deprecated, and is unused by Kubernetes'] : [],
  },
  handlers: (parts) => ({ proxy: proxyHandler(parts) }),
};

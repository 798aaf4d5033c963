import type { ServedKind } from '../definition.ts';
import { proxyHandler } from '../proxy-handler.ts';

/** Nodes. */
export const node: ServedKind = {
  group: '',
  kind: 'Node',
  // A kubelet registers its node with the first status.
  strategy: { prepareCreate() {} },
  handlers: (parts) => ({ proxy: proxyHandler(parts) }),
};

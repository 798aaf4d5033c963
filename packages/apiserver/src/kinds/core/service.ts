import type { ServedKind } from '../definition.ts';
import { proxyHandler } from '../proxy-handler.ts';

/** Services. */
export const service: ServedKind = {
  group: '',
  kind: 'Service',
  strategy: { returnsDeleted: true, createsOnUpdate: true },
  handlers: (parts) => ({ proxy: proxyHandler(parts) }),
};

import { type Node, rangeWarnings } from '@wherry/kubeapi';
import { as } from '../../objects/api-object.ts';
import { keepAllButStatus } from '../../objects/status-fields.ts';
import type { ServedKind } from '../definition.ts';
import { proxyHandler } from '../proxy-handler.ts';

/** Nodes. */
export const node: ServedKind = {
  group: '',
  kind: 'Node',
  // A kubelet registers its node with the first status.
  strategy: {
    prepareCreate(object) {
      delete as<Node>(object).spec?.configSource;
      delete as<Node>(object).status?.config;
    },
    prepareStatusUpdate(next, previous) {
      keepAllButStatus(next, previous);
      if (!as<Node>(previous).status?.config) delete as<Node>(next).status?.config;
    },
    prepareUpdate(next, previous) {
      if (previous.status) next.status = previous.status;
      else delete next.status;
      if (!as<Node>(previous).spec?.configSource) delete as<Node>(next).spec?.configSource;
    },
    warningsOf(object) {
      const { configSource, externalID, podCIDRs = [] } = as<Node>(object).spec ?? {};
      return [
        ...(configSource ? ['spec.configSource: the feature is removed'] : []),
        ...(externalID ? ['spec.externalID: this field is deprecated, and is unused by Kubernetes'] : []),
        ...podCIDRs.flatMap((range, index) => rangeWarnings(`spec.podCIDRs[${index}]`, range)),
      ];
    },
  },
  handlers: (parts) => ({ proxy: proxyHandler(parts) }),
};

import { type CSIStorageCapacity, nodeLabelAdvice, selectorTermWarnings } from '@wherry/kubeapi';
import { as } from '../../objects/api-object.ts';
import type { ServedKind } from '../definition.ts';

/** Space that CSI drivers tell of. */
export const csiStorageCapacity: ServedKind = {
  group: 'storage.k8s.io',
  kind: 'CSIStorageCapacity',
  strategy: {
    needsVersionOnUpdate: true,
    warningsOf(object) {
      const { matchExpressions = [], matchLabels = {} } = as<CSIStorageCapacity>(object).nodeTopology ?? {};
      const ofLabels = Object.keys(matchLabels).flatMap((label) => {
        const said = nodeLabelAdvice(label);
        return said ? [`nodeTopology.matchLabels.${label}: ${said}`] : [];
      });
      return [...selectorTermWarnings({ matchExpressions }, 'nodeTopology'), ...ofLabels];
    },
  },
};

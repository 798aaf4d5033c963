import { nodeLabelAdvice, type StorageClass } from '@wherry/kubeapi';
import { as } from '../../objects/api-object.ts';
import type { ServedKind } from '../definition.ts';

/** Storage classes. */
export const storageClass: ServedKind = {
  group: 'storage.k8s.io',
  kind: 'StorageClass',
  strategy: {
    returnsDeleted: true,
    warningsOf: (object) =>
      (as<StorageClass>(object).allowedTopologies ?? []).flatMap(({ matchLabelExpressions = [] }, at) =>
        matchLabelExpressions.flatMap(({ key }, index) => {
          const said = nodeLabelAdvice(key);
          return said ? [`allowedTopologies[${at}].matchLabelExpressions[${index}].key: ${said}`] : [];
        }),
      ),
  },
};

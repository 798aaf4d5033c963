import { nodeLabelAdvice, type RuntimeClass } from '@wherry/kubeapi';
import { as } from '../../objects/api-object.ts';
import type { ServedKind } from '../definition.ts';

/** Runtime classes. */
export const runtimeClass: ServedKind = {
  group: 'node.k8s.io',
  kind: 'RuntimeClass',
  strategy: {
    createsOnUpdate: true,
    needsVersionOnUpdate: true,
    warningsOf: (object) =>
      Object.keys(as<RuntimeClass>(object).scheduling?.nodeSelector ?? {}).flatMap((label) => {
        const said = nodeLabelAdvice(label);
        return said ? [`scheduling.nodeSelector: ${said}`] : [];
      }),
  },
};

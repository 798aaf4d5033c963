import type { ServedKind } from '../definition.ts';
import { templateWarnings } from '../template-warnings.ts';

/** Templates of pods. */
export const podTemplate: ServedKind = {
  group: '',
  kind: 'PodTemplate',
  strategy: {
    returnsDeleted: true,
    desired: (object) => object['template'],
    ...templateWarnings({ path: 'template', of: (object) => object['template'] }),
  },
};

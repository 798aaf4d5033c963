import type { ServedKind } from '../definition.ts';

/** Templates of pods. */
export const podTemplate: ServedKind = {
  group: '',
  kind: 'PodTemplate',
  strategy: { returnsDeleted: true, desired: (object) => object['template'] },
};

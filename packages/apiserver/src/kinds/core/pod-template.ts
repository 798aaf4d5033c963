import type { ServedKind } from '../definition.ts';

/** Templates of pods, which nothing here uses. */
export const podTemplate: ServedKind = {
  group: '',
  kind: 'PodTemplate',
  strategy: { returnsDeleted: true },
};

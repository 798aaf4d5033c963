import { specGenerations } from '../../objects/strategy.ts';
import type { ServedKind } from '../definition.ts';
import { scaleHandler } from '../scale-handler.ts';
import { ownTemplate, templateWarnings } from '../template-warnings.ts';

/** Stateful sets. */
export const statefulSet: ServedKind = {
  group: 'apps',
  kind: 'StatefulSet',
  strategy: { ...specGenerations, ...templateWarnings(ownTemplate) },
  handlers: (_parts, own) => ({ scale: scaleHandler(own) }),
};

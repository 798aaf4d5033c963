import { specGenerations } from '../../objects/strategy.ts';
import type { ServedKind } from '../definition.ts';
import { scaleHandler } from '../scale-handler.ts';
import { ownTemplate, templateWarnings } from '../template-warnings.ts';

/** Replica sets. */
export const replicaSet: ServedKind = {
  group: 'apps',
  kind: 'ReplicaSet',
  strategy: { ...specGenerations, ...templateWarnings({ ...ownTemplate, namesPods: true }) },
  handlers: (_parts, own) => ({ scale: scaleHandler(own) }),
};

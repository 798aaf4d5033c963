import { specGenerations } from '../../objects/strategy.ts';
import type { ServedKind } from '../definition.ts';
import { scaleHandler } from '../scale-handler.ts';

/** Replica sets. */
export const replicaSet: ServedKind = {
  group: 'apps',
  kind: 'ReplicaSet',
  strategy: specGenerations,
  handlers: (_parts, own) => ({ scale: scaleHandler(own) }),
};

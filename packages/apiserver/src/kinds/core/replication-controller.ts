import { specGenerations } from '../../objects/strategy.ts';
import type { ServedKind } from '../definition.ts';
import { scaleHandler } from '../scale-handler.ts';
import { ownTemplate, templateWarnings } from '../template-warnings.ts';

/** Replication controllers. */
export const replicationController: ServedKind = {
  group: '',
  kind: 'ReplicationController',
  strategy: {
    ...specGenerations,
    ...templateWarnings({ ...ownTemplate, namesPods: true }),
    orphansByDefault: true,
  },
  handlers: (_parts, own) => ({ scale: scaleHandler(own) }),
};

import type { ServedKind } from '../definition.ts';
import { scaleHandler } from '../scale-handler.ts';
import { ownTemplate, templateWarnings } from '../template-warnings.ts';

/** Deployments: their annotations are copied to replica sets, so a change of them counts as well. */
export const deployment: ServedKind = {
  group: 'apps',
  kind: 'Deployment',
  strategy: {
    ...templateWarnings({ ...ownTemplate, namesPods: true }),
    desired: ({ spec, metadata }) => [spec, metadata.annotations ?? {}],
    // Upstream: what belongs to whom is not the status writer's to say.
    statusKeeps: ['labels'],
  },
  handlers: (_parts, own) => ({ scale: scaleHandler(own) }),
};

import type { ServedKind } from '../definition.ts';

/** Deployments, which nothing here acts on. */
export const deployment: ServedKind = {
  group: 'apps',
  kind: 'Deployment',
  unanswered: ['scale'],
};

/** Sound objects of flow control, without kind and apiVersion. */
import type { JsonObject } from '@wherry/kubeapi';

const everything: JsonObject = {
  subjects: [{ kind: 'Group', group: { name: 'system:unauthenticated' } }],
  resourceRules: [
    { verbs: ['*'], apiGroups: ['*'], resources: ['*'], clusterScope: true, namespaces: ['*'] },
  ],
  nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }],
};

/** Some requests of some users; and one that may not differ, and does. */
export const flowSchemas: readonly JsonObject[] = [
  {
    metadata: { name: 'web' },
    spec: {
      priorityLevelConfiguration: { name: 'web' },
      matchingPrecedence: 500,
      distinguisherMethod: { type: 'ByUser' },
      rules: [
        {
          subjects: [
            { kind: 'User', user: { name: 'me' } },
            { kind: 'ServiceAccount', serviceAccount: { name: '*', namespace: 'default' } },
            { kind: 'Group', group: { name: 'people' } },
          ],
          resourceRules: [
            {
              ...{ verbs: ['get', 'list'], apiGroups: ['', 'apps'], resources: ['pods', 'pods/log'] },
              namespaces: ['default', 'other'],
            },
          ],
          nonResourceRules: [{ verbs: ['get'], nonResourceURLs: ['/healthz', '/version/*'] }],
        },
        everything,
      ],
    },
    status: { conditions: [{ type: 'Dangling', status: 'True', reason: 'NotFound' }] },
  },
  {
    metadata: { name: 'catch-all' },
    spec: {
      priorityLevelConfiguration: { name: 'catch-all' },
      matchingPrecedence: 10_000,
      rules: [everything],
    },
  },
];

/** One with queues, one without, and the two that every server has. */
export const priorityLevels: readonly JsonObject[] = [
  {
    metadata: { name: 'web' },
    spec: {
      type: 'Limited',
      limited: {
        ...{ nominalConcurrencyShares: 10, lendablePercent: 50, borrowingLimitPercent: 20 },
        limitResponse: { type: 'Queue', queuing: { queues: 64, handSize: 6, queueLengthLimit: 50 } },
      },
    },
    status: { conditions: [{ type: 'Ready', status: 'True' }] },
  },
  { metadata: { name: 'fast' }, spec: { type: 'Limited', limited: { limitResponse: { type: 'Reject' } } } },
  { metadata: { name: 'exempt' }, spec: { type: 'Exempt', exempt: { nominalConcurrencyShares: 5 } } },
  {
    metadata: { name: 'catch-all' },
    spec: {
      type: 'Limited',
      limited: { nominalConcurrencyShares: 5, lendablePercent: 0, limitResponse: { type: 'Reject' } },
    },
  },
];

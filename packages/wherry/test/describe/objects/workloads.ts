import { type Described, longAgo, metadata, namespaced } from './described.ts';
import { richTemplate } from './pods.ts';

const plainTemplate = {
  metadata: { labels: { app: 'web' } },
  spec: { containers: [{ name: 'c', image: 'i' }] },
};
const oneRun = { ...richTemplate, spec: { ...richTemplate.spec, restartPolicy: 'Never' } };
const plainRun = { spec: { ...plainTemplate.spec, restartPolicy: 'OnFailure' } };
const selector = {
  matchLabels: { tier: 'front', app: 'web' },
  matchExpressions: [
    { key: 'app', operator: 'In', values: ['web', 'a'] },
    { key: 'b', operator: 'DoesNotExist' },
    { key: 'tier', operator: 'Exists' },
    { key: 'c', operator: 'NotIn', values: ['x'] },
  ],
};
const simple = { matchLabels: { app: 'web' } };
const condition = { type: 'Available', status: 'True', reason: 'Enough', lastTransitionTime: longAgo };
const claim = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1024Mi' } } };

/** What makes pods, and what is about them. */
export const workloads: readonly Described[] = [
  {
    object: namespaced('apps/v1', 'Deployment', 'rich', {
      metadata,
      spec: {
        ...{ replicas: 3, selector, template: richTemplate, minReadySeconds: 5 },
        strategy: { rollingUpdate: { maxSurge: '50%', maxUnavailable: 1 } },
      },
    }),
    status: {
      ...{ replicas: 4, updatedReplicas: 2, availableReplicas: 3, unavailableReplicas: 1, readyReplicas: 3 },
      conditions: [condition, { type: 'Progressing', status: 'Unknown', reason: 'Waiting' }],
    },
  },
  {
    object: namespaced('apps/v1', 'Deployment', 'plain', {
      spec: { selector: simple, template: plainTemplate, strategy: { type: 'Recreate' } },
    }),
  },
  {
    object: namespaced('apps/v1', 'ReplicaSet', 'rich', {
      metadata: {
        ...metadata,
        ownerReferences: [{ apiVersion: 'v1', kind: 'Thing', name: 't', uid: 'u9', controller: true }],
      },
      spec: { replicas: 2, selector, template: richTemplate },
    }),
    status: { replicas: 1, conditions: [{ ...condition, type: 'ReplicaFailure' }] },
  },
  {
    object: namespaced('v1', 'ReplicationController', 'rc', {
      metadata,
      spec: { replicas: 2, selector: { tier: 'front', app: 'web' }, template: richTemplate },
    }),
    status: { replicas: 1, conditions: [{ ...condition, type: 'ReplicaFailure' }] },
  },
  {
    object: namespaced('apps/v1', 'StatefulSet', 'rich', {
      metadata,
      spec: {
        ...{ replicas: 2, selector, template: richTemplate, serviceName: 's' },
        updateStrategy: { rollingUpdate: { partition: 1, maxUnavailable: 2 } },
        volumeClaimTemplates: [
          {
            metadata: { name: 'data', labels: { a: '1', b: '2' }, annotations: { c: '3', d: '4' } },
            spec: { ...claim, storageClassName: 'fast' },
          },
          { metadata: { name: 'more' }, spec: claim },
        ],
      },
    }),
    status: { replicas: 2 },
  },
  {
    object: namespaced('apps/v1', 'StatefulSet', 'plain', {
      spec: { selector: simple, template: plainTemplate, updateStrategy: { type: 'OnDelete' } },
    }),
  },
  {
    object: namespaced('apps/v1', 'DaemonSet', 'rich', {
      metadata,
      spec: { selector, template: richTemplate },
    }),
    status: {
      ...{ desiredNumberScheduled: 5, currentNumberScheduled: 4, updatedNumberScheduled: 3 },
      ...{ numberAvailable: 2, numberMisscheduled: 1, numberReady: 2 },
    },
  },
  {
    object: namespaced('batch/v1', 'Job', 'rich', {
      metadata,
      spec: {
        ...{ template: oneRun, completions: 40, parallelism: 3, completionMode: 'Indexed' },
        ...{ backoffLimit: 4, ttlSecondsAfterFinished: 60, activeDeadlineSeconds: 600 },
      },
    }),
    status: {
      ...{ active: 1, ready: 0, succeeded: 2, startTime: longAgo, failed: 3 },
      completedIndexes: '1,3,5,7,9,11,13,15,17,19,21,23,25,27,29,31,33,35,37,39',
    },
  },
  {
    object: namespaced('batch/v1', 'Job', 'done', { spec: { template: plainRun } }),
    status: {
      ...{ startTime: longAgo, completionTime: '2026-01-02T05:06:07Z', succeeded: 1 },
      conditions: [
        { type: 'SuccessCriteriaMet', status: 'True', lastTransitionTime: longAgo },
        { type: 'Complete', status: 'True', lastTransitionTime: longAgo },
      ],
    },
  },
  {
    object: namespaced('batch/v1', 'CronJob', 'rich', {
      metadata,
      spec: {
        ...{ schedule: '*/5 * * * *', timeZone: 'Europe/Paris', startingDeadlineSeconds: 30, suspend: true },
        jobTemplate: { spec: { template: oneRun, completions: 2, parallelism: 1, activeDeadlineSeconds: 9 } },
      },
    }),
    status: { lastScheduleTime: longAgo, active: [{ name: 'rich-1' }, { name: 'rich-2' }] },
  },
  {
    object: namespaced('batch/v1', 'CronJob', 'plain', {
      spec: { schedule: '@daily', jobTemplate: { spec: { template: plainRun } } },
    }),
  },
  {
    object: namespaced('policy/v1', 'PodDisruptionBudget', 'min', {
      spec: { minAvailable: '50%', selector },
    }),
    status: { disruptionsAllowed: 1, currentHealthy: 2, desiredHealthy: 3, expectedPods: 4 },
  },
  {
    object: namespaced('policy/v1', 'PodDisruptionBudget', 'max', {
      spec: { maxUnavailable: 1, selector: {} },
    }),
  },
];

/** The kinds that stories are about, with what their writers say of them. */
import type { JsonObject } from '@wherry/kubeapi';

/** One of them. */
export interface StoryKind {
  apiVersion: string;
  kind: string;
  plural: string;
  namespaced: boolean;
  /** Has the sub-resources `status` and `scale`. */
  hasStatus: boolean;
  hasScale: boolean;
  /** What an object has besides its metadata. */
  whole: JsonObject;
  /** What writers change, or try to. */
  parts: readonly JsonObject[];
  /** The same of the status. */
  statuses: readonly JsonObject[];
  selectors: readonly string[];
}

const container = { name: 'a', image: 'b' };
const podSpec = { containers: [container], automountServiceAccountToken: false };
const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [container] } };

/** Defined by {@link definitions}. */
const custom = (kind: string, namespaced: boolean) => ({
  apiVersion: 'story.example.com/v1',
  kind,
  plural: `${kind.toLowerCase()}s`,
  namespaced,
});

export const storyKinds: readonly StoryKind[] = [
  {
    ...{ apiVersion: 'v1', kind: 'ConfigMap', plural: 'configmaps', namespaced: true },
    ...{ hasStatus: false, hasScale: false, statuses: [], selectors: ['metadata.name=a', 'data.x=1'] },
    whole: { data: { x: '1' } },
    parts: [
      { data: { x: '2' } },
      { data: { y: '1', z: '1' } },
      { data: { x: 1 } },
      { data: 'x' },
      { binaryData: { b: 'eA==' } },
      { binaryData: { b: '!' } },
      { immutable: true },
      { dta: {} },
    ],
  },
  {
    ...{ apiVersion: 'v1', kind: 'Pod', plural: 'pods', namespaced: true },
    ...{ hasStatus: true, hasScale: false },
    whole: { spec: podSpec },
    parts: [
      { spec: { containers: [{ name: 'a', image: 'c' }] } },
      { spec: { containers: [{ name: 'b', image: 'c' }] } },
      { spec: { activeDeadlineSeconds: 9 } },
      { spec: { tolerations: [{ key: 'k', operator: 'Exists' }] } },
      { spec: { nodeSelector: { a: 'b' } } },
      { spec: { terminationGracePeriodSeconds: 'x' } },
    ],
    statuses: [
      { phase: 'Running' },
      { podIP: '10.0.0.1', podIPs: [{ ip: '10.0.0.1' }] },
      { message: 'm', reason: 'r' },
      { conditions: 'x' },
    ],
    selectors: ['spec.nodeName=', 'status.phase=Running', 'metadata.name!=a', 'spec.x=1'],
  },
  {
    ...{ apiVersion: 'apps/v1', kind: 'Deployment', plural: 'deployments', namespaced: true },
    ...{ hasStatus: true, hasScale: true },
    whole: { spec: { selector: { matchLabels: { a: 'b' } }, template } },
    parts: [
      { spec: { replicas: 3 } },
      { spec: { replicas: -1 } },
      { spec: { replicas: '3' } },
      { spec: { paused: true } },
      { spec: { strategy: { type: 'Recreate' } } },
      { spec: { strategy: { rollingUpdate: { maxSurge: 1 } } } },
      { spec: { template: { spec: { containers: [{ name: 'a', image: 'c' }] } } } },
      {
        spec: {
          template: { spec: { containers: [{ name: 'b', image: 'c', ports: [{ containerPort: 80 }] }] } },
        },
      },
      { spec: { selector: { matchLabels: { c: 'd' } } } },
      { spec: { tmplate: {} } },
    ],
    statuses: [{ replicas: 2 }, { observedGeneration: 1 }, { replicas: -1 }, { readyReplicas: 'x' }],
    selectors: ['metadata.namespace=x', 'spec.replicas=1'],
  },
  {
    ...{ apiVersion: 'batch/v1', kind: 'CronJob', plural: 'cronjobs', namespaced: true },
    ...{ hasStatus: true, hasScale: false },
    whole: {
      spec: {
        schedule: '* * * * *',
        jobTemplate: { spec: { template: { spec: { restartPolicy: 'Never', containers: [container] } } } },
      },
    },
    parts: [
      { spec: { suspend: true } },
      { spec: { schedule: 'x' } },
      { spec: { concurrencyPolicy: 'Forbid' } },
      { spec: { jobTemplate: { spec: { backoffLimit: 2 } } } },
    ],
    statuses: [{ active: [{ kind: 'Job', name: 'j' }] }, { lastScheduleTime: '2020-01-01T00:00:00Z' }],
    selectors: ['metadata.name=b'],
  },
  {
    ...{ apiVersion: 'scheduling.k8s.io/v1', kind: 'PriorityClass', plural: 'priorityclasses' },
    ...{ namespaced: false, hasStatus: false, hasScale: false, statuses: [], selectors: [] },
    whole: { value: 5 },
    parts: [{ value: 6 }, { description: 'd' }, { globalDefault: 'x' }, { preemptionPolicy: 'Never' }],
  },
  {
    ...custom('Gear', true),
    ...{ hasStatus: true, hasScale: true },
    whole: { spec: { size: 1 } },
    parts: [
      { spec: { size: 2 } },
      { spec: { size: 11 } },
      { spec: { size: 'x' } },
      { spec: { mode: 'b' } },
      { spec: { mode: 'c' } },
      { spec: { tags: ['a', 'b'] } },
      { spec: { parts: [{ name: 'x', n: 1 }] } },
      { spec: { parts: [{ name: 'y' }, { name: 'x', n: 2 }] } },
      { spec: { free: { any: [1, 'x', null] } } },
      { spec: { unknown: 1 } },
    ],
    statuses: [{ replicas: 2 }, { phase: 'p' }, { replicas: 'x' }],
    selectors: ['spec.mode=a', 'metadata.name=a', 'spec.size=1'],
  },
  {
    ...custom('Rack', false),
    ...{ hasStatus: false, hasScale: false, statuses: [], selectors: [] },
    whole: { a: { b: 1 } },
    parts: [{ a: { c: [1, 'x', null, 1.5] } }, { status: { phase: 'p' } }],
  },
];

const gearSpec = {
  type: 'object',
  required: ['size'],
  properties: {
    size: { type: 'integer', minimum: 0, maximum: 10 },
    mode: { type: 'string', enum: ['a', 'b'], default: 'a' },
    tags: { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set' },
    parts: {
      ...{ type: 'array', 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['name'] },
      items: {
        ...{ type: 'object', required: ['name'] },
        properties: { name: { type: 'string' }, n: { type: 'integer' } },
      },
    },
    free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
  },
  'x-kubernetes-validations': [{ rule: "self.mode == 'a' || self.size > 1", message: 'b needs more' }],
};
const gearStatus = {
  type: 'object',
  properties: { replicas: { type: 'integer' }, phase: { type: 'string' }, selector: { type: 'string' } },
};

function definition(kind: string, scope: string, version: object): JsonObject {
  const plural = `${kind.toLowerCase()}s`;
  return {
    metadata: { name: `${plural}.story.example.com` },
    spec: {
      ...{ group: 'story.example.com', scope, names: { plural, singular: kind.toLowerCase(), kind } },
      versions: [{ name: 'v1', served: true, storage: true, ...version }],
    },
  };
}

/** What has to be defined before the first story. */
export const definitions: readonly JsonObject[] = [
  definition('Gear', 'Namespaced', {
    schema: { openAPIV3Schema: { type: 'object', properties: { spec: gearSpec, status: gearStatus } } },
    subresources: {
      status: {},
      scale: {
        specReplicasPath: '.spec.size',
        statusReplicasPath: '.status.replicas',
        labelSelectorPath: '.status.selector',
      },
    },
    additionalPrinterColumns: [{ name: 'Size', type: 'integer', jsonPath: '.spec.size' }],
  }),
  definition('Rack', 'Cluster', {
    schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
  }),
];

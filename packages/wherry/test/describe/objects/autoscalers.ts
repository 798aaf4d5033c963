import { type Described, longAgo, metadata, namespaced } from './described.ts';

const target = (averageUtilization: number) => ({ type: 'Utilization', averageUtilization });
const average = (averageValue: string) => ({ type: 'AverageValue', averageValue });
const value = (text: string) => ({ type: 'Value', value: text });
const of = { kind: 'Ingress', name: 'web', apiVersion: 'networking.k8s.io/v1' };

const metrics = [
  { type: 'Resource', resource: { name: 'cpu', target: target(70) } },
  { type: 'Resource', resource: { name: 'memory', target: average('1024Mi') } },
  { type: 'ContainerResource', containerResource: { name: 'cpu', container: 'c', target: target(50) } },
  { type: 'ContainerResource', containerResource: { name: 'cpu', container: 'c', target: average('1') } },
  { type: 'Pods', pods: { metric: { name: 'hits' }, target: average('1000') } },
  { type: 'Object', object: { describedObject: of, metric: { name: 'asks' }, target: value('2k') } },
  { type: 'Object', object: { describedObject: of, metric: { name: 'asks' }, target: average('2') } },
  { type: 'External', external: { metric: { name: 'queue' }, target: value('30') } },
  { type: 'External', external: { metric: { name: 'queue' }, target: average('3') } },
];

const currentMetrics = [
  { type: 'Resource', resource: { name: 'cpu', current: { averageUtilization: 35, averageValue: '350m' } } },
  { type: 'Resource', resource: { name: 'memory', current: { averageValue: '524288Ki' } } },
  {
    type: 'ContainerResource',
    containerResource: {
      name: 'cpu',
      container: 'c',
      current: { averageUtilization: 7, averageValue: '70m' },
    },
  },
  {
    type: 'ContainerResource',
    containerResource: { name: 'cpu', container: 'c', current: { averageValue: '70m' } },
  },
  { type: 'Pods', pods: { metric: { name: 'hits' }, current: { averageValue: '900' } } },
  { type: 'Object', object: { describedObject: of, metric: { name: 'asks' }, current: { value: '1500' } } },
  {
    type: 'Object',
    object: { describedObject: of, metric: { name: 'asks' }, current: { averageValue: '1' } },
  },
  { type: 'External', external: { metric: { name: 'queue' }, current: { value: '29' } } },
  { type: 'External', external: { metric: { name: 'queue' }, current: { averageValue: '2' } } },
];

const spec = {
  ...{ minReplicas: 2, maxReplicas: 9, metrics },
  scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' },
  behavior: {
    scaleUp: {
      ...{ stabilizationWindowSeconds: 5, selectPolicy: 'Min' },
      policies: [
        { type: 'Pods', value: 4, periodSeconds: 15 },
        { type: 'Percent', value: 100, periodSeconds: 60 },
      ],
    },
    scaleDown: { selectPolicy: 'Disabled' },
  },
};

const conditions = [
  {
    ...{ type: 'AbleToScale', status: 'True', reason: 'Ready', message: 'it may' },
    lastTransitionTime: longAgo,
  },
  { type: 'ScalingLimited', status: 'False', reason: 'Wanted', message: 'it is as wanted' },
];

/** Autoscalers. */
export const autoscalers: readonly Described[] = [
  {
    object: namespaced('autoscaling/v2', 'HorizontalPodAutoscaler', 'rich', { metadata, spec }),
    status: { currentReplicas: 3, desiredReplicas: 4, currentMetrics, conditions },
  },
  { object: namespaced('autoscaling/v2', 'HorizontalPodAutoscaler', 'new', { spec }) },
  {
    object: namespaced('autoscaling/v1', 'HorizontalPodAutoscaler', 'plain', {
      spec: {
        scaleTargetRef: { kind: 'ReplicationController', name: 'rc', apiVersion: 'v1' },
        ...{ maxReplicas: 3, targetCPUUtilizationPercentage: 80 },
      },
    }),
  },
];

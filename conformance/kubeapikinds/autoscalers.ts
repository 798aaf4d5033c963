/** Autoscalers of the first version, with what it has no fields for in annotations: sound ones, and texts that say less. */
import type { JsonObject } from '@wherry/kubeapi';

const prefix = 'autoscaling.alpha.kubernetes.io/';
const scaleTargetRef: JsonObject = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' };
const selector: JsonObject = { matchLabels: { app: 'web' } };

const metrics = [
  { type: 'Pods', pods: { metricName: 'hits', targetAverageValue: '10', selector } },
  { type: 'Resource', resource: { name: 'memory', targetAverageValue: '1000Mi' } },
  {
    type: 'Object',
    object: {
      target: { kind: 'Service', name: 'web' },
      metricName: '<hits>',
      targetValue: '0',
      averageValue: '5',
    },
  },
  { type: 'External', external: { metricName: 'queue', metricSelector: selector, targetAverageValue: '3' } },
  {
    type: 'ContainerResource',
    containerResource: { name: 'cpu', container: 'a', targetAverageUtilization: 7 },
  },
];
const figures = [
  { type: 'Pods', pods: { metricName: 'hits', currentAverageValue: '9' } },
  { type: 'Resource', resource: { name: 'cpu', currentAverageUtilization: 30, currentAverageValue: '300m' } },
  { type: 'External', external: { metricName: 'queue', currentValue: '0', currentAverageValue: '2' } },
];
const conditions = [
  { type: 'AbleToScale', status: 'True', lastTransitionTime: null, reason: 'R', message: '1 > 0 & 0 < 1' },
];
const behavior = {
  ScaleUp: { StabilizationWindowSeconds: 0, SelectPolicy: null, Policies: null, Tolerance: '100m' },
  ScaleDown: { Policies: [{ Type: 'Pods', Value: 1, PeriodSeconds: 60 }] },
};

const withAnnotations = (texts: Record<string, string>): JsonObject => ({
  metadata: {
    name: 'web',
    namespace: 'default',
    annotations: {
      own: 'kept',
      ...Object.fromEntries(Object.entries(texts).map(([name, text]) => [`${prefix}${name}`, text])),
    },
  },
  spec: { scaleTargetRef, minReplicas: 1, maxReplicas: 3, targetCPUUtilizationPercentage: 50 },
  status: { currentReplicas: 1, desiredReplicas: 2, currentCPUUtilizationPercentage: 20 },
});

/** Autoscalers of `autoscaling/v1`. */
export const autoscalers: JsonObject[] = [
  withAnnotations({}),
  { ...withAnnotations({}), spec: { scaleTargetRef, maxReplicas: 3 } },
  withAnnotations({
    metrics: JSON.stringify(metrics),
    'current-metrics': JSON.stringify(figures),
    conditions: JSON.stringify(conditions),
    behavior: JSON.stringify(behavior),
  }),
  withAnnotations({
    metrics: 'null',
    'current-metrics': '[null]',
    conditions: '[]',
    behavior: '{"scaleup":null,"SCALEDOWN":{"selectPolicy":"Min"}}',
    'scale-down-tolerance': '1',
  }),
  withAnnotations({
    metrics: '{}',
    'current-metrics': '[1]',
    conditions: '[{"type":1}]',
    behavior: '{"ScaleUp":null}',
  }),
  withAnnotations({ metrics: '[', 'current-metrics': '', conditions: 'x', behavior: '[]' }),
];

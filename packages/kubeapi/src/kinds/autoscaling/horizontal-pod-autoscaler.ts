/** Autoscalers, in both versions. */
import { items, object } from '../../defaults/parts.ts';
import type { HorizontalPodAutoscaler } from '../../generated/types.ts';
import { isJsonObject, type JsonObject } from '../../json/json-value.ts';
import { nonNegative } from '../../validation/metadata.ts';
import type { KindDefinition } from '../definition.ts';
import { printer } from './autoscaler-printer.ts';
import { validateAutoscaler } from './autoscaler-validation.ts';
import { defaultCpuUtilization, v1Form, v2Form } from './v1-form.ts';

const mostCpu = {
  type: 'Resource',
  resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: defaultCpuUtilization } },
};
const growByPodsOrDouble = [
  { type: 'Pods', value: 4, periodSeconds: 15 },
  { type: 'Percent', value: 100, periodSeconds: 15 },
];
const shrinkAtOnce = [{ type: 'Percent', value: 100, periodSeconds: 15 }];

/** Autoscalers, in both versions. */
export const horizontalPodAutoscaler: KindDefinition<HorizontalPodAutoscaler> = {
  group: 'autoscaling',
  kind: 'HorizontalPodAutoscaler',
  versions: { hub: 'v2', forms: { v1: v1Form, v2: v2Form } },
  printer,
  validate: (autoscaler) => validateAutoscaler(autoscaler),
  validateUpdate: validateAutoscaler,
  validateSubresource: {
    status: ({ status }) => [
      ...nonNegative('status.currentReplicas', status?.currentReplicas),
      ...nonNegative('status.desiredReplicas', status?.desiredReplicas),
    ],
  },
  defaults: {
    HorizontalPodAutoscalerSpec: { minReplicas: 1 },
    AutoscalingV1HorizontalPodAutoscalerSpec: { minReplicas: 1 },
  },
  computedDefaults: {
    HorizontalPodAutoscalerSpec: defaultAutoscaler,
  },
  descriptions: {
    HorizontalPodAutoscaler: { '': 'Changes the number of replicas by measured load.' },
  },
};

function defaultAutoscaler(spec: JsonObject): void {
  if (items(spec['metrics']).length === 0) spec['metrics'] = [structuredClone(mostCpu)];
  const { behavior } = spec;
  if (!isJsonObject(behavior)) return;
  const grow = {
    selectPolicy: 'Max',
    stabilizationWindowSeconds: 0,
    policies: structuredClone(growByPodsOrDouble),
  };
  const shrink = { selectPolicy: 'Max', policies: structuredClone(shrinkAtOnce) };
  behavior['scaleUp'] = { ...grow, ...object(behavior['scaleUp']) };
  behavior['scaleDown'] = { ...shrink, ...object(behavior['scaleDown']) };
}

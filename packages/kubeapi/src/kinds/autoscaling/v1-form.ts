/** Autoscalers of `autoscaling/v1` and those of v2, which are stored (upstream: pkg/apis/autoscaling/v1/conversion.go). */
import type {
  AutoscalingV1HorizontalPodAutoscaler,
  AutoscalingV1MetricSpec,
  AutoscalingV1MetricStatus,
  HorizontalPodAutoscaler,
  HorizontalPodAutoscalerCondition,
  MetricSpec,
  MetricStatus,
} from '../../generated/types.ts';
import { goJson } from '../../json/go-json.ts';
import type { JsonObject } from '../../json/json-value.ts';
import { conform } from '../../schema/conform.ts';
import { messageSchema } from '../../schema/schema.ts';
import type { VersionForm } from '../definition.ts';
import { behaviorText, inForm, keptAnnotations, readBehavior, readKept } from './kept-annotations.ts';
import { newFigure, newMetric, oldFigure, oldMetric } from './v1-metrics.ts';

type Autoscaler = HorizontalPodAutoscaler;
type Condition = Omit<HorizontalPodAutoscalerCondition, 'lastTransitionTime'> & {
  lastTransitionTime?: string | null;
};
type OldAutoscaler = AutoscalingV1HorizontalPodAutoscaler;
type Annotations = Record<string, string>;

/** The share of the processors that an autoscaler without any metric keeps its pods at. */
export const defaultCpuUtilization = 80;

/** The first version. */
export const v1Form: VersionForm = { toHub, fromHub };

/** The second version: only what would stand for its own fields is taken out. */
export const v2Form: VersionForm = { toHub: withoutKept, fromHub: withoutKept };

function toHub({ metadata, spec, status, ...rest }: OldAutoscaler): Autoscaler {
  const { annotations = {} } = metadata;
  const { scaleTargetRef, minReplicas, maxReplicas, targetCPUUtilizationPercentage: cpu } = spec;
  const others = readKept<AutoscalingV1MetricSpec>(
    annotations[keptAnnotations.metrics],
    'AutoscalingV1MetricSpec',
  );
  const metrics = [...(others ?? []).map(newMetric), ...(cpu === undefined ? [] : [cpuMetric(cpu)])];
  const autoscaler = {
    ...{ ...rest, metadata: metadataWith(metadata, {}) },
    spec: {
      ...{ scaleTargetRef, minReplicas, maxReplicas },
      metrics: metrics.length > 0 ? metrics : [cpuMetric(defaultCpuUtilization)],
      behavior: readBehavior(annotations[keptAnnotations.behavior]),
    },
    status: { ...statusToHub(status, annotations) },
  };
  return conform(autoscaler as unknown as JsonObject, messageSchema('HorizontalPodAutoscaler'))
    .object as unknown as Autoscaler;
}

function statusToHub(status: OldAutoscaler['status'], annotations: Annotations): object {
  const { currentCPUUtilizationPercentage: cpu, ...same } = status ?? {};
  const figures = readKept<AutoscalingV1MetricStatus>(
    annotations[keptAnnotations.currentMetrics],
    'AutoscalingV1MetricStatus',
  );
  return {
    ...same,
    currentMetrics:
      figures?.map(newFigure) ??
      (cpu === undefined
        ? []
        : [{ type: 'Resource', resource: { name: 'cpu', current: { averageUtilization: cpu } } }]),
    conditions: readKept(annotations[keptAnnotations.conditions], 'HorizontalPodAutoscalerCondition') ?? [],
  };
}

const cpuMetric = (averageUtilization: number) => ({
  type: 'Resource',
  resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization } },
});

function fromHub({ metadata, spec, status, ...rest }: Autoscaler): OldAutoscaler {
  const { metrics = [], behavior, ...shared } = spec;
  const { currentMetrics = [], conditions = [], ...told } = status ?? {};
  const others = metrics.filter((metric) => cpuShareOf(metric) === undefined);
  const kept = {
    ...keptList(keptAnnotations.metrics, others.map(oldMetric), 'AutoscalingV1MetricSpec'),
    ...keptList(keptAnnotations.currentMetrics, currentMetrics.map(oldFigure), 'AutoscalingV1MetricStatus'),
    ...(behavior ? { [keptAnnotations.behavior]: behaviorText(behavior) } : {}),
    ...(conditions.length > 0 ? { [keptAnnotations.conditions]: goJson(conditions.map(oldCondition)) } : {}),
  };
  const autoscaler = {
    ...{ ...rest, metadata: metadataWith(metadata, kept) },
    spec: {
      ...shared,
      targetCPUUtilizationPercentage: metrics.map(cpuShareOf).find((share) => share !== undefined),
    },
    status: {
      ...told,
      currentCPUUtilizationPercentage: currentMetrics
        .map(cpuFigureOf)
        .findLast((share) => share !== undefined),
    },
  };
  return conform(autoscaler as unknown as JsonObject, messageSchema('AutoscalingV1HorizontalPodAutoscaler'))
    .object as unknown as OldAutoscaler;
}

function keptList(annotation: string, values: readonly object[], message: string): Annotations {
  if (values.length === 0) return {};
  const list = inForm(values, message);
  return { [annotation]: goJson(list) };
}

/** Go prints a time that is not set. */
const oldCondition = ({ type, status, lastTransitionTime = null, ...why }: Condition) => ({
  ...{ type, status, lastTransitionTime },
  ...why,
});

/** The one metric that the first version has a field for. */
function cpuShareOf({ type, resource }: MetricSpec): number | undefined {
  return type === 'Resource' && resource?.name === 'cpu' ? resource.target.averageUtilization : undefined;
}

function cpuFigureOf({ type, resource }: MetricStatus): number | undefined {
  return type === 'Resource' && resource?.name === 'cpu' ? resource.current.averageUtilization : undefined;
}

function withoutKept(autoscaler: Autoscaler): Autoscaler {
  return { ...autoscaler, metadata: metadataWith(autoscaler.metadata, {}) };
}

const dropped: ReadonlySet<string> = new Set(Object.values(keptAnnotations));

/** With these annotations and those that stand for themselves. */
function metadataWith({ annotations = {}, ...rest }: Autoscaler['metadata'], kept: Annotations) {
  const own = Object.entries(annotations).filter(([name]) => !dropped.has(name));
  const all = Object.fromEntries([...own, ...Object.entries(kept)]);
  return Object.keys(all).length > 0 ? { ...rest, annotations: all } : rest;
}

import type {
  HorizontalPodAutoscaler,
  MetricSpec,
  MetricStatus,
  MetricTarget,
  Pod,
  PodMetrics,
} from '@wherry/kubeapi/objects';
import { parseQuantity, Quantity } from '@wherry/kubeapi/objects';
import { proposeReplicas, type Tolerance } from './replica-count.ts';
import { groupPods, type MeasuredResource, requestsOf, usageOf } from './target-pods.ts';

/** What one metric asks for. */
export interface MetricProposal {
  replicas: number;
  /** As events and conditions call it. */
  name: string;
  status: MetricStatus;
}

/** A metric from which nothing can be told; `reason` is the condition's. */
export class MetricError extends Error {
  readonly reason: string;

  constructor(reason: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'MetricError';
    this.reason = reason;
  }
}

/** What a metric is judged by. */
export interface MetricScene {
  current: number;
  pods: readonly Pod[];
  /** Throws where the server does not tell. */
  metrics(): Promise<readonly PodMetrics[]>;
  tolerance: Tolerance;
  nowMs: number;
}

const nanosPerMilli = 1_000_000n;
const defaultTolerance = 0.1;

/** What one metric of an autoscaler asks for. Throws {@link MetricError}. */
export async function proposalOf(metric: MetricSpec, scene: MetricScene): Promise<MetricProposal> {
  const { type, resource, containerResource } = metric;
  if (type === 'Resource' && resource) {
    const measured = { name: resource.name, container: undefined };
    const { current, ...rest } = await proposed(measured, resource.target, scene, 'FailedGetResourceMetric');
    return { ...rest, status: { type, resource: { name: resource.name, current } } };
  }
  if (type === 'ContainerResource' && containerResource) {
    const { name, container, target } = containerResource;
    const measured = { name, container };
    const { current, ...rest } = await proposed(measured, target, scene, 'FailedGetContainerResourceMetric');
    return { ...rest, status: { type, containerResource: { name, container, current } } };
  }
  const group = type === 'External' ? 'external.metrics.k8s.io' : 'custom.metrics.k8s.io';
  const message = `unable to get ${type.toLowerCase()} metric: the server does not serve ${group}`;
  throw new MetricError(`FailedGet${type}Metric`, message);
}

async function proposed(
  resource: MeasuredResource,
  target: MetricTarget,
  scene: MetricScene,
  reason: string,
) {
  const { name, container } = resource;
  const wanted = target.averageValue === undefined ? 'utilization' : 'usage';
  try {
    const usages = usageOf(await metricsFor(name, scene), resource);
    if (scene.pods.length === 0)
      throw new Error('no pods returned by selector while calculating replica count');
    const { groups, usage } = groupPods(scene.pods, usages, resource, scene.nowMs);
    const found = proposeReplicas({
      ...{ current: scene.current, usage, groups, tolerance: scene.tolerance },
      target:
        target.averageValue === undefined
          ? { utilization: target.averageUtilization ?? 0, requests: requestsOf(scene.pods, resource) }
          : { average: Number(parseQuantity(target.averageValue).milliValue()) },
    });
    const averageValue = amountText(name, found.average);
    const ofContainer = container === undefined ? '' : ' container';
    return {
      replicas: found.replicas,
      name:
        found.utilization === undefined
          ? `${name}${ofContainer} resource`
          : `${name}${ofContainer} resource utilization (percentage of request)`,
      current:
        found.utilization === undefined
          ? { averageValue }
          : { averageUtilization: found.utilization, averageValue },
    };
  } catch (error) {
    const message = `failed to get ${name} ${wanted}: ${(error as Error).message}`;
    throw new MetricError(reason, message, { cause: error });
  }
}

async function metricsFor(name: string, { metrics }: MetricScene): Promise<readonly PodMetrics[]> {
  try {
    const found = await metrics();
    if (found.length > 0) return found;
  } catch (error) {
    const message = `unable to get metrics for resource ${name}: unable to fetch metrics from resource metrics API: ${(error as Error).message}`;
    throw new Error(message, { cause: error });
  }
  throw new Error(
    `unable to get metrics for resource ${name}: no metrics returned from resource metrics API`,
  );
}

function amountText(resource: string, milli: number): string {
  return String(
    new Quantity(BigInt(milli) * nanosPerMilli, resource === 'memory' ? 'BinarySI' : 'DecimalSI'),
  );
}

/** By how much usage may miss its targets. */
export function toleranceOf({ spec }: HorizontalPodAutoscaler): Tolerance {
  const of = (text: string | undefined) =>
    text === undefined ? defaultTolerance : parseQuantity(text).toNumber();
  return { up: of(spec.behavior?.scaleUp?.tolerance), down: of(spec.behavior?.scaleDown?.tolerance) };
}

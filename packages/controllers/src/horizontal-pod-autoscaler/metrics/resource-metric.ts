import type { MetricSpec, MetricTarget, PodMetrics } from '@wherry/kubeapi/objects';
import { messageOf } from '../../ownership/pod-writes.ts';
import { proposeReplicas } from '../replica-count.ts';
import { groupPods, type MeasuredResource, requestsOf, usageOf } from '../target-pods.ts';
import { MetricError } from './metric-error.ts';
import { amountText, type MetricProposal, type MetricScene, milliOf } from './metric-scene.ts';

/** What pods take of a resource. Throws {@link MetricError}. */
export async function resourceMetric(
  { name, target }: NonNullable<MetricSpec['resource']>,
  scene: MetricScene,
): Promise<MetricProposal> {
  const resource = { name, container: undefined };
  const found = await proposed(resource, target, scene).catch((error: unknown) => {
    throw failure(error, { reason: 'FailedGetResourceMetric', what: `${name} resource` });
  });
  const { replicas, current } = found;
  return { replicas, name: found.name, status: { type: 'Resource', resource: { name, current } } };
}

/** What one container of each pod takes. Throws {@link MetricError}. */
export async function containerMetric(
  { name, container, target }: NonNullable<MetricSpec['containerResource']>,
  scene: MetricScene,
): Promise<MetricProposal> {
  const found = await proposed({ name, container }, target, scene).catch((error: unknown) => {
    throw failure(error, { reason: 'FailedGetContainerResourceMetric', what: `${container} container` });
  });
  const containerResource = { name, container, current: found.current };
  return {
    ...{ replicas: found.replicas, name: found.name },
    status: { type: 'ContainerResource', containerResource },
  };
}

function failure(cause: unknown, { reason, what }: { reason: string; what: string }): MetricError {
  const message = messageOf(cause);
  return new MetricError(reason, message, {
    cause,
    summary: `failed to get ${what} metric value: ${message}`,
  });
}

async function proposed(resource: MeasuredResource, target: MetricTarget, scene: MetricScene) {
  const { name, container } = resource;
  const wanted = target.averageValue === undefined ? 'utilization' : 'usage';
  try {
    const usages = usageOf(await metricsFor(name, scene), resource);
    const { groups, usage } = groupPods(scene.pods, usages, resource, scene);
    const { replicas, average, utilization } = proposeReplicas({
      ...{ current: scene.current, usage, groups, tolerance: scene.tolerance },
      target:
        target.averageValue === undefined
          ? { utilization: target.averageUtilization ?? 0, requests: requestsOf(scene.pods, resource) }
          : { average: Number(milliOf(target.averageValue)) },
    });
    const averageValue = amountText(BigInt(average), name);
    if (utilization === undefined) return { replicas, name: `${name} resource`, current: { averageValue } };
    const ofContainer = container === undefined ? '' : ' container';
    return {
      replicas,
      name: `${name}${ofContainer} resource utilization (percentage of request)`,
      current: { averageUtilization: utilization, averageValue },
    };
  } catch (cause) {
    throw new Error(`failed to get ${name} ${wanted}: ${messageOf(cause)}`, { cause });
  }
}

async function metricsFor(name: string, { podMetrics }: MetricScene): Promise<readonly PodMetrics[]> {
  try {
    const found = await podMetrics();
    if (found.length > 0) return found;
  } catch (cause) {
    const message = `unable to get metrics for resource ${name}: unable to fetch metrics from resource metrics API: ${messageOf(cause)}`;
    throw new Error(message, { cause });
  }
  throw new Error(
    `unable to get metrics for resource ${name}: no metrics returned from resource metrics API`,
  );
}

import type { MetricSpec } from '@wherry/kubeapi/objects';
import { messageOf } from '../../ownership/pod-writes.ts';
import { proposeReplicas } from '../replica-count.ts';
import { groupPods } from '../target-pods.ts';
import { MetricError } from './metric-error.ts';
import { amountText, type MetricProposal, type MetricScene, milliOf } from './metric-scene.ts';
import { metricSelectorText } from './metric-selector.ts';

/** What somebody measured of each pod. Throws {@link MetricError}. */
export async function podsMetric(
  { metric, target }: NonNullable<MetricSpec['pods']>,
  scene: MetricScene,
): Promise<MetricProposal> {
  try {
    const metricSelector = metricSelectorText(metric.selector);
    const usages = await usagesOf(metric.name, metricSelector, scene);
    // What a pod does while it starts counts, but of processors.
    const { groups, usage } = groupPods(scene.pods, usages, undefined, scene);
    const { replicas, average } = proposeReplicas({
      ...{ current: scene.current, usage, groups, tolerance: scene.tolerance },
      target: { average: Number(milliOf(target.averageValue ?? '0')) },
    });
    const current = { averageValue: amountText(BigInt(average)) };
    const status = { type: 'Pods', pods: { metric, current } };
    return { replicas, name: `pods metric ${metric.name}`, status };
  } catch (cause) {
    const message = messageOf(cause);
    const summary = `failed to get pods metric value: ${message}`;
    throw new MetricError('FailedGetPodsMetric', message, { cause, summary });
  }
}

async function usagesOf(metric: string, metricSelector: string, scene: MetricScene) {
  const { namespace, podSelector, custom, signal } = scene;
  const fail = (why: string, cause?: unknown) =>
    new Error(`unable to get metric ${metric}: ${why}`, { cause });
  const values = await custom
    .ofPods({ namespace, metric, metricSelector, signal }, podSelector)
    .catch((error: unknown) => {
      throw fail(`unable to fetch metrics from custom metrics API: ${messageOf(error)}`, error);
    });
  if (values.length === 0) throw fail('no metrics returned from custom metrics API');
  return new Map(
    values.map(({ objectName, milli, atMs, windowMs }) => [
      objectName,
      { milli: Number(milli), atMs, windowMs },
    ]),
  );
}

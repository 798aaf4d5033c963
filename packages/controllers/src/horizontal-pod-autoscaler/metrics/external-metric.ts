import type { MetricIdentifier, MetricSpec } from '@wherry/kubeapi/objects';
import { selectorInWords } from '../../machinery/selector-in-words.ts';
import { messageOf } from '../../ownership/pod-writes.ts';
import { milliMax } from '../metrics-api/metric-values.ts';
import { replicasByAverage, replicasByRatio } from '../total-count.ts';
import { MetricError } from './metric-error.ts';
import { amountText, type MetricProposal, type MetricScene, milliOf } from './metric-scene.ts';
import { metricSelectorText } from './metric-selector.ts';

/** What somebody measured outside the cluster: the sum of all values. Throws {@link MetricError}. */
export async function externalMetric(
  { metric, target }: NonNullable<MetricSpec['external']>,
  scene: MetricScene,
): Promise<MetricProposal> {
  const { value, averageValue } = target;
  const name = `external metric ${metric.name}(${selectorInWords(metric.selector)})`;
  const statusOf = (current: { value: string } | { averageValue: string }) => ({
    type: 'External',
    external: { metric, current },
  });
  try {
    if (averageValue !== undefined) {
      const usage = await usageOf(metric, scene);
      const { replicas, average } = replicasByAverage(usage, milliOf(averageValue), scene);
      return { replicas, name, status: statusOf({ averageValue: amountText(average) }) };
    }
    if (value === undefined)
      throw new Error(
        'invalid external metric source: neither a value target nor an average value target was set',
      );
    const usage = await usageOf(metric, scene);
    const replicas = replicasByRatio(usage, milliOf(value), scene);
    return { replicas, name, status: statusOf({ value: amountText(usage) }) };
  } catch (cause) {
    const message = messageOf(cause);
    const what =
      averageValue === undefined ? `external metric ${metric.name}` : `${metric.name} external metric`;
    const summary = `failed to get ${metric.name} external metric value: failed to get ${what}: ${message}`;
    throw new MetricError('FailedGetExternalMetric', message, { cause, summary });
  }
}

async function usageOf({ name: metric, selector }: MetricIdentifier, scene: MetricScene): Promise<bigint> {
  const { namespace, external, signal } = scene;
  const metricSelector = metricSelectorText(selector);
  const fail = (why: string, cause?: unknown) => {
    const what = `${namespace}/${metric}/${selectorInWords(selector)}`;
    return new Error(`unable to get external metric ${what}: ${why}`, { cause });
  };
  const values = await external({ namespace, metric, metricSelector, signal }).catch((error: unknown) => {
    throw fail(`unable to fetch metrics from external metrics API: ${messageOf(error)}`, error);
  });
  if (values.length === 0) throw fail('no metrics returned from external metrics API');
  const sum = values.reduce((total, { milli }) => total + milli, 0n);
  return sum > milliMax ? milliMax : sum;
}

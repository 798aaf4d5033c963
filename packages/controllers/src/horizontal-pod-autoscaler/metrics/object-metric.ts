import type { MetricSpec } from '@wherry/kubeapi/objects';
import { selectorInWords } from '../../machinery/selector-in-words.ts';
import { messageOf } from '../../ownership/pod-writes.ts';
import { replicasByAverage, replicasByRatio } from '../total-count.ts';
import { MetricError } from './metric-error.ts';
import { amountText, type MetricProposal, type MetricScene, milliOf } from './metric-scene.ts';
import { metricSelectorText } from './metric-selector.ts';

type ObjectSource = NonNullable<MetricSpec['object']>;

/** What somebody measured of one object. Throws {@link MetricError}. */
export async function objectMetric(source: ObjectSource, scene: MetricScene): Promise<MetricProposal> {
  const { describedObject, metric, target } = source;
  const isAverage = target.type === 'AverageValue' && target.averageValue !== undefined;
  const statusOf = (current: { value: string } | { averageValue: string }) => ({
    type: 'Object',
    object: { describedObject, metric, current },
  });
  try {
    if (isAverage) {
      const usage = await usageOf(source, scene);
      const { replicas, average } = replicasByAverage(usage, milliOf(target.averageValue!), scene);
      // Upstream names it so, too.
      const name = `external metric ${metric.name}(${selectorInWords(metric.selector)})`;
      return { replicas, name, status: statusOf({ averageValue: amountText(average) }) };
    }
    if (target.type !== 'Value' || target.value === undefined)
      throw new Error(
        'invalid object metric source: neither a value target nor an average value target was set',
      );
    const usage = await usageOf(source, scene);
    const replicas = replicasByRatio(usage, milliOf(target.value), scene);
    const name = `${describedObject.kind} metric ${metric.name}`;
    return { replicas, name, status: statusOf({ value: amountText(usage) }) };
  } catch (cause) {
    const message = messageOf(cause);
    const what = isAverage ? `failed to get ${metric.name} object metric: ${message}` : message;
    const summary = `failed to get object metric value: ${what}`;
    throw new MetricError('FailedGetObjectMetric', message, { cause, summary });
  }
}

async function usageOf({ describedObject, metric }: ObjectSource, scene: MetricScene): Promise<bigint> {
  const { namespace, custom, signal } = scene;
  const { name, selector } = metric;
  const metricSelector = metricSelectorText(selector);
  try {
    const value = await custom.ofObject({ namespace, metric: name, metricSelector, signal }, describedObject);
    return value.milli;
  } catch (cause) {
    const { kind, name: object } = describedObject;
    const why = `unable to fetch metrics from custom metrics API: ${messageOf(cause)}`;
    // In upstream's order of words.
    throw new Error(`unable to get metric ${name}: ${kind} on ${namespace} ${object}/${why}`, { cause });
  }
}

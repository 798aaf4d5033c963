import { StatusError } from '@wherry/kubeapi/objects';
import { type Asker, ask } from './ask.ts';
import type { MetricQuery } from './custom-metrics.ts';
import { type MetricValue, readMetricValues } from './metric-values.ts';

const group = 'external.metrics.k8s.io';

/** All values of a metric that has no object, from whoever serves `external.metrics.k8s.io`. */
export async function externalMetric(asker: Asker, query: MetricQuery): Promise<MetricValue[]> {
  const { namespace, metric, metricSelector, signal } = query;
  const steps = [group, 'v1beta1', 'namespaces', namespace, metric];
  const labels = { labelSelector: metricSelector };
  const answer = await ask(asker, steps, labels, signal).catch((cause: unknown) => {
    if (!isNobody(cause)) throw cause;
    const what = `get ${metric}.${group}`;
    throw new Error(`the server could not find the requested resource (${what})`, { cause });
  });
  return readMetricValues(answer, 'ExternalMetricValueList', 'external');
}

/** True where no extension server said that it does not know the metric, but nobody serves the group. */
function isNobody(error: unknown): boolean {
  if (!(error instanceof StatusError) || error.code !== 404) return false;
  return error.status.details?.causes?.some(({ reason }) => reason === 'UnexpectedServerResponse') ?? false;
}

import {
  type CrossVersionObjectReference,
  hasReason,
  isJsonObject,
  parseApiVersion,
} from '@wherry/kubeapi/objects';
import type { ClusterView } from '../../machinery/cluster-view.ts';
import { ask } from './ask.ts';
import { type MetricValue, readMetricValues } from './metric-values.ts';

/** Which metric is asked for. */
export interface MetricQuery {
  namespace: string;
  metric: string;
  /** As text; empty for all. */
  metricSelector: string;
  signal: AbortSignal;
}

const group = 'custom.metrics.k8s.io';
/** What is understood. */
const versions = ['v1beta2', 'v1beta1'];

/** Metrics of objects, from whoever serves `custom.metrics.k8s.io` (upstream: k8s.io/metrics/pkg/client/custom_metrics). */
export class CustomMetrics {
  readonly #cluster: ClusterView;

  constructor(cluster: ClusterView) {
    this.#cluster = cluster;
  }

  /** Of all pods that the selector chooses. */
  async ofPods(query: MetricQuery, podSelector: string): Promise<MetricValue[]> {
    const { namespace, metric, metricSelector, signal } = query;
    const labels = { labelSelector: podSelector, metricLabelSelector: metricSelector };
    return this.#values(['namespaces', namespace, 'pods', '*', metric], labels, signal);
  }

  /** Of one object. A namespace is always the autoscaler's own: the reference leads out of none. */
  async ofObject(query: MetricQuery, object: CrossVersionObjectReference): Promise<MetricValue> {
    const { namespace, metric, metricSelector, signal } = query;
    const { apiVersion = '', kind } = object;
    const { group: objectGroup = '' } = parseApiVersion(apiVersion) ?? {};
    const steps =
      kind === 'Namespace' && objectGroup === ''
        ? ['namespaces', namespace, 'metrics', metric]
        : ['namespaces', namespace, this.#resourceOf(apiVersion, kind), object.name, metric];
    const values = await this.#values(steps, { metricLabelSelector: metricSelector }, signal);
    const [value] = values;
    if (value && values.length === 1) return value;
    throw new Error(
      `the custom metrics API server returned ${values.length} results when we asked for exactly one`,
    );
  }

  async #values(steps: string[], query: Record<string, string>, signal: AbortSignal): Promise<MetricValue[]> {
    const version = await this.#preferredVersion(signal);
    const answer = await ask(this.#cluster, [group, version, ...steps], query, signal);
    return readMetricValues(answer, 'MetricValueList', 'custom');
  }

  /** `deployments.apps`. */
  #resourceOf(apiVersion: string, kind: string): string {
    const { group: objectGroup = '' } = parseApiVersion(apiVersion) ?? {};
    const found = this.#cluster.served.findOfGroup(apiVersion, kind);
    if (found) return objectGroup === '' ? found.plural : `${found.plural}.${objectGroup}`;
    const name = objectGroup === '' ? kind : `${kind}.${objectGroup}`;
    const why = `no matches for kind "${kind}" in group "${objectGroup}"`;
    throw new Error(`unable to map kind ${name} to resource: ${why}`);
  }

  /** The version that the server likes best of those that are understood. */
  async #preferredVersion(signal: AbortSignal): Promise<string> {
    const answer = await ask(this.#cluster, [group], {}, signal).catch((error: unknown) => {
      if (!hasReason(error, 'NotFound')) throw error;
      throw new Error(`no custom metrics API (${group}) registered`, { cause: error });
    });
    const told = isJsonObject(answer) ? [answer['preferredVersion'], answer['versions']].flat() : [];
    const name = told
      .map((each) => (isJsonObject(each) ? each['version'] : undefined))
      .find((each) => versions.some((known) => known === each));
    if (typeof name !== 'string') throw new Error('no known available metric versions found');
    return name;
  }
}

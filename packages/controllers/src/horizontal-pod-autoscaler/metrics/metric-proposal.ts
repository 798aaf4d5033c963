import type { MetricSpec } from '@wherry/kubeapi/objects';
import { externalMetric } from './external-metric.ts';
import { MetricError } from './metric-error.ts';
import type { MetricProposal, MetricScene } from './metric-scene.ts';
import { objectMetric } from './object-metric.ts';
import { podsMetric } from './pods-metric.ts';
import { containerMetric, resourceMetric } from './resource-metric.ts';

/** What one metric of an autoscaler asks for. Throws {@link MetricError}. */
export function proposalOf(metric: MetricSpec, scene: MetricScene): Promise<MetricProposal> {
  const { type, resource, containerResource, pods, object, external } = metric;
  if (type === 'Resource' && resource) return resourceMetric(resource, scene);
  if (type === 'ContainerResource' && containerResource) return containerMetric(containerResource, scene);
  if (type === 'Pods' && pods) return podsMetric(pods, scene);
  if (type === 'Object' && object) return objectMetric(object, scene);
  if (type === 'External' && external) return externalMetric(external, scene);
  const message = `unknown metric source type ${JSON.stringify(type)}`;
  throw new MetricError('InvalidMetricSourceType', message, { summary: message });
}

/** What the first version of autoscalers calls the parts of metrics and of their figures, and back. */
import type {
  AutoscalingV1MetricSpec,
  AutoscalingV1MetricStatus,
  MetricSpec,
  MetricStatus,
} from '../../generated/types.ts';
import { parseQuantity } from '../../values/quantity.ts';

/** An object that has yet to be brought into its schema's form. */
type Loose = Record<string, unknown>;

/** A metric as an `AutoscalingV1MetricSpec`. */
export function oldMetric({ type, object, pods, resource, containerResource, external }: MetricSpec): Loose {
  const ofResource = ({ name, target }: NonNullable<typeof resource>) => ({
    name,
    targetAverageUtilization: target.averageUtilization,
    targetAverageValue: target.averageValue,
  });
  return {
    type,
    object: object && {
      target: object.describedObject,
      metricName: object.metric.name,
      targetValue: object.target.value,
      selector: object.metric.selector,
      averageValue: object.target.averageValue,
    },
    pods: pods && {
      metricName: pods.metric.name,
      targetAverageValue: pods.target.averageValue,
      selector: pods.metric.selector,
    },
    resource: resource && ofResource(resource),
    containerResource: containerResource && {
      ...ofResource(containerResource),
      container: containerResource.container,
    },
    external: external && {
      metricName: external.metric.name,
      metricSelector: external.metric.selector,
      targetValue: external.target.value,
      targetAverageValue: external.target.averageValue,
    },
  };
}

/** A metric as a `MetricSpec`: the type of its target follows from which amounts are there. */
export function newMetric(metric: AutoscalingV1MetricSpec): Loose {
  const { type, object, pods, resource, containerResource, external } = metric;
  const ofResource = ({ name, ...target }: NonNullable<typeof resource>) => ({
    name,
    target: {
      type: target.targetAverageUtilization === undefined ? 'AverageValue' : 'Utilization',
      averageValue: target.targetAverageValue,
      averageUtilization: target.targetAverageUtilization,
    },
  });
  return {
    type,
    object: object && {
      describedObject: object.target,
      target: objectTarget(object),
      metric: { name: object.metricName, selector: object.selector },
    },
    pods: pods && {
      metric: { name: pods.metricName, selector: pods.selector },
      target: { type: 'AverageValue', averageValue: pods.targetAverageValue },
    },
    resource: resource && ofResource(resource),
    containerResource: containerResource && {
      ...ofResource(containerResource),
      container: containerResource.container,
    },
    external: external && {
      metric: { name: external.metricName, selector: external.metricSelector },
      target: {
        type: external.targetValue === undefined ? 'AverageValue' : 'Value',
        value: external.targetValue,
        averageValue: external.targetAverageValue,
      },
    },
  };
}

/** The first version can not leave the value out: a zero beside an average stands for none. */
function objectTarget({ averageValue, targetValue }: NonNullable<AutoscalingV1MetricSpec['object']>): Loose {
  if (averageValue === undefined) return { type: 'Value', value: targetValue };
  const value = parseQuantity(targetValue).sign() === 0 ? undefined : targetValue;
  return { type: 'AverageValue', value, averageValue };
}

/** A figure as an `AutoscalingV1MetricStatus`. */
export function oldFigure({
  type,
  object,
  pods,
  resource,
  containerResource,
  external,
}: MetricStatus): Loose {
  const ofResource = ({ name, current }: NonNullable<typeof resource>) => ({
    name,
    currentAverageUtilization: current.averageUtilization,
    currentAverageValue: current.averageValue,
  });
  return {
    type,
    object: object && {
      target: object.describedObject,
      metricName: object.metric.name,
      currentValue: object.current.value,
      selector: object.metric.selector,
      averageValue: object.current.averageValue,
    },
    pods: pods && {
      metricName: pods.metric.name,
      currentAverageValue: pods.current.averageValue,
      selector: pods.metric.selector,
    },
    resource: resource && ofResource(resource),
    containerResource: containerResource && {
      ...ofResource(containerResource),
      container: containerResource.container,
    },
    external: external && {
      metricName: external.metric.name,
      metricSelector: external.metric.selector,
      currentValue: external.current.value,
      currentAverageValue: external.current.averageValue,
    },
  };
}

/** A figure as a `MetricStatus`. */
export function newFigure(figure: AutoscalingV1MetricStatus): Loose {
  const { type, object, pods, resource, containerResource, external } = figure;
  const ofResource = ({ name, ...current }: NonNullable<typeof resource>) => ({
    name,
    current: {
      averageValue: current.currentAverageValue,
      averageUtilization: current.currentAverageUtilization,
    },
  });
  return {
    type,
    object: object && {
      metric: { name: object.metricName, selector: object.selector },
      current: { value: object.currentValue, averageValue: object.averageValue },
      describedObject: object.target,
    },
    pods: pods && {
      metric: { name: pods.metricName, selector: pods.selector },
      current: { averageValue: pods.currentAverageValue },
    },
    resource: resource && ofResource(resource),
    containerResource: containerResource && {
      ...ofResource(containerResource),
      container: containerResource.container,
    },
    external: external && {
      metric: { name: external.metricName, selector: external.metricSelector },
      current: { value: external.currentValue, averageValue: external.currentAverageValue },
    },
  };
}

import type { MetricSpec, MetricStatus, MetricTarget, MetricValueStatus } from '@wherry/kubeapi';
import { goString, textOf } from '../../output/go-values/go-value.ts';
import { quoted } from '../../output/go-values/quoted.ts';
import { field, type Lines } from '../text/lines.ts';
import { amount } from '../text/values.ts';

/** What an autoscaler looks at: what it is now, and what it should be. */
export const metricLines = (metrics: readonly MetricSpec[], now: readonly MetricStatus[]): Lines =>
  metrics.map((metric, at) => metricLine(metric, now[at] ?? { type: '' }));

function metricLine(
  { type, external, pods, object, resource, containerResource }: MetricSpec,
  now: MetricStatus,
) {
  if (type === 'External' && external) {
    const name = quotedText(external.metric.name);
    const { target } = external;
    const current = now.external?.current;
    return target.averageValue === undefined
      ? valueLine(`${name} (target value)`, current && told(current.value), target.value)
      : valueLine(`${name} (target average value)`, averageOf(current), target.averageValue);
  }
  if (type === 'Pods' && pods) {
    const current = now.pods && told(now.pods.current.averageValue);
    return valueLine(`${quotedText(pods.metric.name)} on pods`, current, pods.target.averageValue);
  }
  if (type === 'Object' && object) {
    const { describedObject: of, metric, target } = object;
    const title = `"${metric.name}" on ${of.kind}/${of.name}`;
    const current = now.object?.current;
    return target.type === 'AverageValue'
      ? valueLine(
          `${title} (target average value)`,
          current && told(current.averageValue),
          target.averageValue,
        )
      : valueLine(`${title} (target value)`, current && told(current.value), target.value);
  }
  if (type === 'Resource' && resource)
    return resourceLine(`resource ${resource.name} on pods`, resource.target, now.resource?.current);
  if (type === 'ContainerResource' && containerResource) {
    const { name, container, target } = containerResource;
    const title = `resource ${name} of container "${container}" on pods`;
    return resourceLine(title, target, now.containerResource?.current);
  }
  return `<unknown metric type ${quotedText(type)}>`;
}

/** What pods take of a resource, by itself or in hundredths of what they ask for. */
function resourceLine(title: string, target: MetricTarget, current: MetricValueStatus | undefined): string {
  if (target.averageValue !== undefined)
    return valueLine(title, current && told(current.averageValue), target.averageValue);
  const { averageUtilization, averageValue } = current ?? {};
  const now =
    averageUtilization === undefined ? '<unknown>' : `${averageUtilization}% (${told(averageValue)})`;
  const wanted = target.averageUtilization === undefined ? '<auto>' : `${target.averageUtilization}%`;
  return field(`${title}  (as a percentage of request)`, `${now} / ${wanted}`);
}

const averageOf = (current: MetricValueStatus | undefined): string | undefined =>
  current?.averageValue && amount(current.averageValue);

const valueLine = (title: string, current: string | undefined, target: string | undefined): string =>
  field(title, `${current ?? '<unknown>'} / ${told(target)}`);

/** A value; of none what Go prints. */
const told = (value: string | undefined): string => (value === undefined ? '<nil>' : amount(value));

const quotedText = (text: string): string => textOf(quoted(goString(text)));

import {
  type Container,
  LabelMatcher,
  type LabelOperator,
  type Pod,
  type PodAffinityTerm,
  type Quantity,
  type ScopedResourceSelectorRequirement,
} from '@wherry/kubeapi/objects';
import { type Amounts, addAmounts, amountsOf } from '../amounts.ts';
import { isDeviceResource } from '../devices/extended-resources.ts';
import { amountsInForce, podAmounts } from '../pod-resources.ts';
import { isTerminalPhase } from '../pod-state.ts';
import { computeQualityOfService } from '../quality-of-service.ts';
import { countOf, objectCountName, type QuotaMeasure } from './measure.ts';

const countName = objectCountName({ group: '', plural: 'pods' });
const computeNames = ['cpu', 'memory', 'ephemeral-storage'];
const names = new Set([
  ...[countName, 'pods', ...computeNames],
  ...computeNames.flatMap((name) => [`requests.${name}`, `limits.${name}`]),
]);
/** Where one of these is bound, each container must say it: upstream's old mistake, kept for compatibility. */
const requiredNames = ['cpu', 'memory'].flatMap((name) => [name, `requests.${name}`, `limits.${name}`]);
const requestPrefix = 'requests.';
const hugePagesPrefix = 'hugepages-';

/** Pods, and what they ask for and may use as long as they are not over. */
export const podMeasure: QuotaMeasure<Pod> = {
  measures: (name) => names.has(name) || isHugePages(name) || isExtendedRequest(name),
  usage(pod, nowMs) {
    const all = new Map([[countName, countOf(1)]]);
    if (isOver(pod, nowMs)) return all;
    return addAmounts(all, computeUsage(amountsInForce(pod), podAmounts(pod, 'limits')));
  },
  isInScope,
  missing(bound, { spec }) {
    const own = spec?.resources;
    if (hasAmounts(own?.requests) || hasAmounts(own?.limits)) return undefined;
    const required = requiredNames.filter((name) => bound.includes(name)).sort();
    const containers = [...(spec?.containers ?? []), ...(spec?.initContainers ?? [])];
    const complaints = required.flatMap((name) => {
      const lacking = containers.filter((container) => !declares(container, name)).map((each) => each.name);
      return lacking.length > 0 ? [`${name} for: ${[...new Set(lacking)].sort().join(',')}`] : [];
    });
    return complaints.length > 0 ? `must specify ${complaints.join('; ')}` : undefined;
  },
  mayUseMore(next, previous, subresource) {
    if (subresource === 'resize') return true;
    return subresource === '' && hasDeadline(next) !== hasDeadline(previous);
  },
};

/** Ended, or so long past its grace that it must be lost with its node. */
function isOver({ metadata, status }: Pod, nowMs: number): boolean {
  if (isTerminalPhase(status?.phase)) return true;
  const { deletionTimestamp, deletionGracePeriodSeconds } = metadata;
  if (deletionTimestamp === undefined || deletionGracePeriodSeconds === undefined) return false;
  return nowMs > Date.parse(deletionTimestamp) + deletionGracePeriodSeconds * 1000;
}

function computeUsage(requests: Amounts, limits: Amounts): Map<string, Quantity> {
  const used = new Map<string, Quantity>([['pods', countOf(1)]]);
  for (const [name, amount] of requests) {
    const isPlain = computeNames.includes(name) || name.startsWith(hugePagesPrefix);
    if (isPlain) used.set(name, amount);
    if (isPlain || isDeviceResource(name)) used.set(`${requestPrefix}${name}`, amount);
  }
  for (const [name, amount] of limits) if (computeNames.includes(name)) used.set(`limits.${name}`, amount);
  return used;
}

function declares({ resources }: Pick<Container, 'resources'>, name: string): boolean {
  return computeUsage(amountsOf(resources?.requests), amountsOf(resources?.limits)).has(name);
}

const hasAmounts = (amounts: object | undefined) => Object.keys(amounts ?? {}).length > 0;
const isHugePages = (name: string) =>
  name.startsWith(hugePagesPrefix) || name.startsWith(`${requestPrefix}${hugePagesPrefix}`);
const isExtendedRequest = (name: string) =>
  name.startsWith(requestPrefix) && isDeviceResource(name.slice(requestPrefix.length));

function hasDeadline({ spec }: Pod): boolean {
  return spec?.activeDeadlineSeconds !== undefined && Number(spec.activeDeadlineSeconds) >= 0;
}

function isInScope(scope: ScopedResourceSelectorRequirement, pod: Pod): boolean {
  const { scopeName, operator, values = [] } = scope;
  switch (scopeName) {
    case 'Terminating':
      return hasDeadline(pod);
    case 'NotTerminating':
      return !hasDeadline(pod);
    case 'BestEffort':
      return computeQualityOfService(pod) === 'BestEffort';
    case 'NotBestEffort':
      return computeQualityOfService(pod) !== 'BestEffort';
    case 'PriorityClass': {
      const className = pod.spec?.priorityClassName;
      const matcher = new LabelMatcher([{ key: scopeName, operator: operator as LabelOperator, values }]);
      return matcher.matches(className ? { [scopeName]: className } : {});
    }
    case 'CrossNamespacePodAffinity':
      return affinityTerms(pod).some(
        ({ namespaces = [], namespaceSelector }) => namespaces.length > 0 || namespaceSelector !== undefined,
      );
    default:
      return false;
  }
}

function affinityTerms({ spec }: Pod): PodAffinityTerm[] {
  const { podAffinity, podAntiAffinity } = spec?.affinity ?? {};
  return [podAffinity, podAntiAffinity].flatMap((affinity) => [
    ...(affinity?.requiredDuringSchedulingIgnoredDuringExecution ?? []),
    ...(affinity?.preferredDuringSchedulingIgnoredDuringExecution ?? []).map((each) => each.podAffinityTerm),
  ]);
}

/** The pods of a target, and what they take and ask for of one resource. */
import { ownValue, type Pod, type PodMetrics, parseQuantity } from '@wherry/kubeapi/objects';
import { isSidecar } from '@wherry/podrules';
import { limits } from '../limits.ts';
import { conditionOf } from '../ownership/conditions.ts';
import type { PodAmounts, PodGroups } from './replica-count.ts';

/** One resource of pods, or of one container of each. */
export interface MeasuredResource {
  name: string;
  container: string | undefined;
}

const milliOf = (text: string) => Number(parseQuantity(text).milliValue());

/** What pods were measured to take, by name; one of which a container is missing is left out. */
export function usageOf(metrics: readonly PodMetrics[], { name, container }: MeasuredResource) {
  const usages = new Map<string, { milli: number; atMs: number; windowMs: number }>();
  for (const { metadata, containers, timestamp, window } of metrics) {
    const counted = containers.filter((each) => container === undefined || each.name === container);
    const amounts = counted.map(({ usage }) => ownValue(usage, name));
    if (amounts.length === 0 || amounts.some((amount) => amount === undefined)) continue;
    const milli = amounts.reduce((sum, amount) => sum + milliOf(amount!), 0);
    usages.set(metadata.name ?? '', { milli, atMs: Date.parse(timestamp), windowMs: windowMsOf(window) });
  }
  return usages;
}

function windowMsOf(text: string): number {
  const [, minutes = '0', seconds = '0'] = /^(?:(\d+)m)?(?:([\d.]+)s)?$/.exec(text) ?? [];
  return (Number(minutes) * 60 + Number(seconds)) * 1_000;
}

/**
 * Which pods count, and what those take that are ready: of a resource, or of whatever else somebody measured. Throws where there are
 * none.
 */
export function groupPods(
  pods: readonly Pod[],
  usages: ReturnType<typeof usageOf>,
  resource: MeasuredResource | undefined,
  nowMs: number,
): { groups: PodGroups; usage: PodAmounts } {
  if (pods.length === 0) throw new Error('no pods returned by selector while calculating replica count');
  const unready = new Set<string>();
  const missing = new Set<string>();
  const usage = new Map<string, number>();
  for (const pod of pods) {
    const podName = pod.metadata.name ?? '';
    const { phase } = pod.status ?? {};
    if (pod.metadata.deletionTimestamp || phase === 'Failed') continue;
    const found = usages.get(podName);
    if (phase === 'Pending') unready.add(podName);
    else if (!found) missing.add(podName);
    else if (resource?.name === 'cpu' && isStarting(pod, found, nowMs)) unready.add(podName);
    else usage.set(podName, found.milli);
  }
  return { groups: { ready: usage.size, unready, missing }, usage };
}

/** What a pod takes while it starts says nothing of its load. */
function isStarting({ status }: Pod, { atMs, windowMs }: { atMs: number; windowMs: number }, nowMs: number) {
  const condition = conditionOf(status?.conditions, 'Ready');
  if (!condition || !status?.startTime) return true;
  const startedMs = Date.parse(status.startTime);
  const turnedMs = Date.parse(condition.lastTransitionTime ?? status.startTime);
  const isUnready = condition.status === 'False';
  if (startedMs + limits.cpuInitializationMs > nowMs) return isUnready || atMs < turnedMs + windowMs;
  return isUnready && startedMs + limits.initialReadinessMs > turnedMs;
}

/** What each pod asks for of a resource, in thousandths. Throws where one asks for nothing. */
export function requestsOf(pods: readonly Pod[], resource: MeasuredResource): PodAmounts {
  return new Map(pods.map((pod) => [pod.metadata.name ?? '', requestOf(pod, resource)]));
}

function requestOf({ metadata, spec }: Pod, { name, container }: MeasuredResource): number {
  const ofPod = spec?.resources?.requests;
  if (container === undefined && ofPod && Object.keys(ofPod).length > 0) {
    const own = ownValue(ofPod, name);
    if (own === undefined) throw new Error(`missing pod-level request for ${name} in Pod ${metadata.name}`);
    return milliOf(own);
  }
  const all = [...(spec?.containers ?? []), ...(spec?.initContainers ?? []).filter(isSidecar)];
  const counted = all.filter((each) => container === undefined || each.name === container);
  if (counted.length === 0) throw new Error(`container ${container} not found in Pod ${metadata.name}`);
  return counted.reduce((sum, each) => {
    const request = ownValue(each.resources?.requests ?? {}, name);
    if (request === undefined)
      throw new Error(`missing request for ${name} in container ${each.name} of Pod ${metadata.name}`);
    return sum + milliOf(request);
  }, 0);
}

/** The pods of a target, and what they take and ask for of one resource. */
import { ownValue, type Pod, type PodMetrics, parseQuantity } from '@wherry/kubeapi/objects';
import { isSidecar, podAmounts } from '@wherry/podrules';
import type { AutoscalerSettings } from '../machinery/autoscaler-settings.ts';
import { conditionOf } from '../ownership/conditions.ts';
import type { PodAmounts, PodGroups } from './replica-count.ts';

/** One resource of pods, or of one container of each. */
export interface MeasuredResource {
  name: string;
  container: string | undefined;
}

/** How long pods count as starting. */
export type StartingPods = Pick<AutoscalerSettings, 'cpuInitializationMs' | 'initialReadinessMs'>;

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
 * Which pods count, and what those take that are ready: of a resource, or of whatever else somebody measured. Who was measured and is
 * not among the pods counts for what it takes. Throws where there are no pods, or nothing is known of any that is ready.
 */
export function groupPods(
  pods: readonly Pod[],
  usages: ReturnType<typeof usageOf>,
  resource: MeasuredResource | undefined,
  { nowMs, starting }: { nowMs: number; starting: StartingPods },
): { groups: PodGroups; usage: PodAmounts } {
  if (pods.length === 0) throw new Error('no pods returned by selector while calculating replica count');
  const unready = new Set<string>();
  const missing = new Set<string>();
  const usage = new Map([...usages].map(([podName, { milli }]) => [podName, milli]));
  let ready = 0;
  for (const pod of pods) {
    const podName = pod.metadata.name ?? '';
    const { phase } = pod.status ?? {};
    const found = usages.get(podName);
    const isOver = pod.metadata.deletionTimestamp !== undefined || phase === 'Failed';
    const isMissing = !isOver && phase !== 'Pending' && !found;
    const isUnready =
      phase === 'Pending' ||
      (resource?.name === 'cpu' && found && isStarting(pod, found, { nowMs, ...starting }));
    if (isOver) usage.delete(podName);
    else if (isMissing) missing.add(podName);
    else if (isUnready) {
      unready.add(podName);
      usage.delete(podName);
    } else ready += 1;
  }
  if (usage.size === 0) throw new Error('did not receive metrics for targeted pods (pods might be unready)');
  return { groups: { ready, unready, missing }, usage };
}

/** What a pod takes while it starts says nothing of its load. */
function isStarting(
  { status }: Pod,
  { atMs, windowMs }: { atMs: number; windowMs: number },
  { nowMs, cpuInitializationMs, initialReadinessMs }: StartingPods & { nowMs: number },
) {
  const condition = conditionOf(status?.conditions, 'Ready');
  if (!condition || !status?.startTime) return true;
  const startedMs = Date.parse(status.startTime);
  const turnedMs = Date.parse(condition.lastTransitionTime ?? status.startTime);
  const isUnready = condition.status === 'False';
  if (startedMs + cpuInitializationMs > nowMs) return isUnready || atMs < turnedMs + windowMs;
  return isUnready && startedMs + initialReadinessMs > turnedMs;
}

/** What each pod asks for of a resource, in thousandths. Throws where one asks for nothing. */
export function requestsOf(pods: readonly Pod[], resource: MeasuredResource): PodAmounts {
  return new Map(pods.map((pod) => [pod.metadata.name ?? '', requestOf(pod, resource)]));
}

function requestOf(pod: Pod, { name, container }: MeasuredResource): number {
  const { metadata, spec } = pod;
  if (container === undefined && Object.keys(spec?.resources?.requests ?? {}).length > 0) {
    const all = podAmounts(pod, 'requests').get(name);
    if (all === undefined) throw new Error(`missing pod-level request for ${name} in Pod ${metadata.name}`);
    return Number(all.milliValue());
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

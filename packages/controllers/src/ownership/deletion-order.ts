import type { Pod } from '@wherry/kubeapi/objects';
import { isPodReady, podReadySinceMs } from '@wherry/podrules';
import { compareText } from './compare-text.ts';

const costAnnotation = 'controller.kubernetes.io/pod-deletion-cost';
const phaseOrder: Record<string, number> = { Pending: 0, Unknown: 1, Running: 2 };

/** Whether a pod counts as a replica: it has not ended, and is not being deleted. */
export function isActive({ metadata, status }: Pod): boolean {
  return status?.phase !== 'Succeeded' && status?.phase !== 'Failed' && !metadata?.deletionTimestamp;
}

/** The annotation's number, in upstream's narrow spelling; 0 when there is none, or none that can be read. */
export function deletionCost({ metadata }: Pod): number {
  const text = metadata?.annotations?.[costAnnotation] ?? '';
  const cost = /^(0|-\d+|[1-9]\d*)$/.test(text) ? Number(text) : 0;
  return cost >= -(2 ** 31) && cost < 2 ** 31 ? cost : 0;
}

/**
 * Pods in the order in which they should go (upstream: ActivePodsWithRanks): those that serve least, then the cheapest,
 * those that share a node with more of `related`, and the youngest; ages are told apart by their powers of two alone.
 */
export function inDeletionOrder(pods: readonly Pod[], related: readonly Pod[], nowMs: number): Pod[] {
  const onNode = new Map<string, number>();
  for (const pod of related.filter(isActive)) {
    const name = pod.spec?.nodeName ?? '';
    onNode.set(name, (onNode.get(name) ?? 0) + 1);
  }
  const neighbours = (pod: Pod) => onNode.get(pod.spec?.nodeName ?? '') ?? 0;
  const difference = (a: Pod, b: Pod, of: (pod: Pod) => number) => of(a) - of(b);
  return [...pods].sort(
    (a, b) =>
      difference(a, b, ({ spec }) => (spec?.nodeName ? 1 : 0)) ||
      difference(a, b, ({ status }) => phaseOrder[status?.phase ?? 'Pending'] ?? 0) ||
      difference(a, b, (pod) => (isPodReady(pod) ? 1 : 0)) ||
      difference(a, b, deletionCost) ||
      difference(b, a, neighbours) ||
      byAge(podReadySinceMs(a), podReadySinceMs(b), nowMs, a, b) ||
      byRestarts(a, b) ||
      byAge(createdMs(a), createdMs(b), nowMs, a, b),
  );
}

/** Pods in the order in which a job's go (upstream: ActivePods): it knows of no costs, and tells all ages apart. */
export function inPlainDeletionOrder(pods: readonly Pod[]): Pod[] {
  const difference = (a: Pod, b: Pod, of: (pod: Pod) => number) => of(a) - of(b);
  const younger = (a: Pod, b: Pod, of: (pod: Pod) => number | undefined) =>
    (of(b) ?? Number.POSITIVE_INFINITY) - (of(a) ?? Number.POSITIVE_INFINITY) || 0;
  return [...pods].sort(
    (a, b) =>
      difference(a, b, ({ spec }) => (spec?.nodeName ? 1 : 0)) ||
      difference(a, b, ({ status }) => phaseOrder[status?.phase ?? 'Pending'] ?? 0) ||
      difference(a, b, (pod) => (isPodReady(pod) ? 1 : 0)) ||
      younger(a, b, podReadySinceMs) ||
      byRestarts(a, b) ||
      younger(a, b, createdMs),
  );
}

const createdMs = ({ metadata }: Pod) => Date.parse(metadata?.creationTimestamp ?? '') || undefined;

function byAge(a: number | undefined, b: number | undefined, nowMs: number, podA: Pod, podB: Pod): number {
  if (a === b) return 0;
  if (a === undefined || b === undefined) return a === undefined ? -1 : 1;
  return magnitude(nowMs - a) - magnitude(nowMs - b) || compareText(podA.metadata?.uid, podB.metadata?.uid);
}

/** Upstream takes the logarithm of nanoseconds. */
function magnitude(ageMs: number): number {
  return ageMs > 0 ? Math.floor(Math.log2(ageMs * 1e6)) : -1;
}

/** More restarts first; sidecars' count when the others' are the same. */
function byRestarts(a: Pod, b: Pod): number {
  return maxRestarts(b, false) - maxRestarts(a, false) || maxRestarts(b, true) - maxRestarts(a, true);
}

function maxRestarts({ spec, status }: Pod, areSidecars: boolean): number {
  const sidecars = new Set(
    (spec?.initContainers ?? [])
      .filter(({ restartPolicy }) => restartPolicy === 'Always')
      .map(({ name }) => name),
  );
  const statuses = areSidecars
    ? (status?.initContainerStatuses ?? []).filter(({ name }) => sidecars.has(name))
    : (status?.containerStatuses ?? []);
  return Math.max(0, ...statuses.map(({ restartCount = 0 }) => restartCount));
}

import type { Container } from '@wherry/kubeapi';
import { amountOf } from './amount.ts';
import type { AssignedPod } from './assigned-pod.ts';
import { isSidecar } from './containers.ts';

/** The three classes by which a node under pressure chooses. */
export type QualityOfService = 'Guaranteed' | 'Burstable' | 'BestEffort';

const computeResources = ['cpu', 'memory'] as const;

function amounts(container: Container, kind: 'requests' | 'limits'): [string, string][] {
  const given = container.resources?.[kind] ?? {};
  return computeResources.flatMap((name) => {
    const amount = given[name];
    return amount !== undefined && amountOf(amount) > 0 ? [[name, amount] as [string, string]] : [];
  });
}

function isGuaranteed(container: Container): boolean {
  const limits = new Map(amounts(container, 'limits'));
  return computeResources.every((name) => {
    const limit = limits.get(name);
    const request = container.resources?.requests?.[name] ?? limit;
    return limit !== undefined && request !== undefined && amountOf(limit) === amountOf(request);
  });
}

/** The pod's class; what the API server wrote into the status wins, as it never changes. */
export function qualityOfService(pod: AssignedPod): QualityOfService {
  const stored = pod.status?.qosClass;
  if (stored) return stored as QualityOfService;
  const containers = [...pod.spec.containers, ...(pod.spec.initContainers ?? [])];
  const bestEffort = containers.every(
    (container) => amounts(container, 'requests').length === 0 && amounts(container, 'limits').length === 0,
  );
  if (bestEffort) return 'BestEffort';
  return containers.every(isGuaranteed) ? 'Guaranteed' : 'Burstable';
}

/** Amount of one resource that the whole pod asks for: sidecars add up, other init containers count by their largest. */
export function podAmount(pod: AssignedPod, kind: 'requests' | 'limits', resource: string): number {
  const of = (container: Container) => {
    const text = container.resources?.[kind]?.[resource];
    return text === undefined ? 0 : amountOf(text);
  };
  let sidecars = 0;
  let initPeak = 0;
  for (const container of pod.spec.initContainers ?? []) {
    if (isSidecar(container)) {
      sidecars += of(container);
      initPeak = Math.max(initPeak, sidecars);
    } else initPeak = Math.max(initPeak, sidecars + of(container));
  }
  const regular = pod.spec.containers.reduce((sum, container) => sum + of(container), sidecars);
  const overhead = pod.spec.overhead?.[resource];
  return Math.max(regular, initPeak) + (overhead === undefined ? 0 : amountOf(overhead));
}

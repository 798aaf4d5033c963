import type { Container } from '@wherry/kubeapi';
import { amountOf } from './amount.ts';
import type { AssignedPod } from './assigned-pod.ts';

/** The three classes by which a node under pressure chooses. */
export type QualityOfService = 'Guaranteed' | 'Burstable' | 'BestEffort';

const computeResources = ['cpu', 'memory'] as const;

/** Whoever declares resources: a container, or the pod as a whole. */
type Owner = Pick<Container, 'resources'>;

function amounts(container: Owner, kind: 'requests' | 'limits'): [string, string][] {
  const given = container.resources?.[kind] ?? {};
  return computeResources.flatMap((name) => {
    const amount = given[name];
    return amount !== undefined && amountOf(amount) > 0 ? [[name, amount] as [string, string]] : [];
  });
}

function isGuaranteed(container: Owner): boolean {
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
  const owners: Owner[] = declaresForAll(pod)
    ? [{ resources: pod.spec.resources as Owner['resources'] }]
    : [...pod.spec.containers, ...(pod.spec.initContainers ?? [])];
  const bestEffort = owners.every(
    (owner) => amounts(owner, 'requests').length === 0 && amounts(owner, 'limits').length === 0,
  );
  if (bestEffort) return 'BestEffort';
  return owners.every(isGuaranteed) ? 'Guaranteed' : 'Burstable';
}

/** Whether the pod itself declares resources, which then count instead of its containers'. */
function declaresForAll({ spec }: AssignedPod): boolean {
  return Object.keys({ ...spec.resources?.requests, ...spec.resources?.limits }).length > 0;
}

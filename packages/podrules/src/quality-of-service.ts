import type { Quantity } from '@wherry/kubeapi/objects';
import { addAmounts, amountsOf, type PodView } from './amounts.ts';

/** The three classes by which a node under pressure chooses. */
export type QualityOfService = 'Guaranteed' | 'Burstable' | 'BestEffort';

const counted = ['cpu', 'memory'];

function positive(list: Record<string, string> | undefined): Map<string, Quantity> {
  return new Map(
    [...amountsOf(list)].filter(([name, amount]) => counted.includes(name) && amount.sign() > 0),
  );
}

/**
 * The class that follows from what a pod declares of cpu and memory, zeros not counting: for itself if it has
 * `spec.resources`, else in its containers and init containers together. Defaults must have been applied: a limit
 * is no request (pkg/apis/core/v1/helper/qos.ComputePodQOS).
 */
export function computeQualityOfService({ spec }: PodView): QualityOfService {
  const owners = spec?.resources ? [spec] : [...(spec?.containers ?? []), ...(spec?.initContainers ?? [])];
  const requests = new Map<string, Quantity>();
  const limits = new Map<string, Quantity>();
  let isLimited = true;
  for (const { resources } of owners) {
    const own = positive(resources?.limits);
    if (own.size < counted.length) isLimited = false;
    addAmounts(limits, own);
    addAmounts(requests, positive(resources?.requests));
  }
  if (requests.size === 0 && limits.size === 0) return 'BestEffort';
  const isMatched =
    requests.size === limits.size &&
    [...requests].every(([name, amount]) => limits.get(name)?.cmp(amount) === 0);
  return isLimited && isMatched ? 'Guaranteed' : 'Burstable';
}

/** The class in the pod's status, which never changes; computed where there is none yet. */
export function qualityOfService(pod: PodView): QualityOfService {
  return (pod.status?.qosClass as QualityOfService | undefined) || computeQualityOfService(pod);
}

import { type Container, ownValue } from '@wherry/kubeapi';
import { isSidecar, qualityOfService } from '@wherry/podrules';
import { milliAmountOf } from '../../pod/amount.ts';
import type { AssignedPod } from '../../pod/assigned-pod.ts';

/** How many processors a container is to have to itself: whole ones, in Guaranteed pods alone; 0 for none. */
export function askedCpus(pod: AssignedPod, { resources }: Container): number {
  if (qualityOfService(pod) !== 'Guaranteed') return 0;
  const milli = milliAmountOf(ownValue(resources?.requests, 'cpu') ?? '0');
  return milli % 1_000 === 0 ? milli / 1_000 : 0;
}

/** The same for a pod: what runs side by side together, or what one init container needs at its turn if that is more. */
export function askedCpusOfPod(pod: AssignedPod): number {
  let ofSidecars = 0;
  let atStart = 0;
  for (const container of pod.spec.initContainers ?? []) {
    const asked = askedCpus(pod, container);
    if (isSidecar(container)) ofSidecars += asked;
    else atStart = Math.max(atStart, ofSidecars + asked);
  }
  const later = pod.spec.containers.reduce((sum, container) => sum + askedCpus(pod, container), ofSidecars);
  return Math.max(atStart, later);
}

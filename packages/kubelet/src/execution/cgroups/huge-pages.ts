import { type Container, ownValue } from '@wherry/kubeapi';
import { podUnits } from '@wherry/podrules';
import { amountOf, binaryAmount, hugePagesName } from '../../pod/amount.ts';
import type { AssignedPod } from '../../pod/assigned-pod.ts';

/** A size of pages as the kernel and CRI have it: `2MB`, `1GB` (of 1,024 each). */
export const pageSizeText = (pageBytes: number): string => `${binaryAmount(pageBytes).replace('i', '')}B`;

/** Bytes of pages of that size which a container may have: what the pod may as a whole where it says nothing itself. */
export function containerHugePages(pod: AssignedPod, container: Container, pageBytes: number): number {
  const name = hugePagesName(pageBytes);
  const limit = ownValue(container.resources?.limits, name) ?? ownValue(pod.spec.resources?.limits, name);
  return limit === undefined ? 0 : amountOf(limit);
}

/** Bytes of such pages which all of the pod's containers may have together. */
export const podHugePages = (pod: AssignedPod, pageBytes: number): number =>
  podUnits(pod, 'requests', hugePagesName(pageBytes));

import { podAmount, qualityOfService } from '@wherry/podrules';
import type { AssignedPod } from '../../pod/assigned-pod.ts';

/** A resize that waits. */
export interface WaitingResize {
  /** As its source has it. */
  pod: AssignedPod;
  /** With what it was given. */
  given: AssignedPod;
  /** When it was asked for first, in the order of all. */
  turn: number;
}

/**
 * Which of two is looked at first: one that asks for no more than it has, then the one of higher priority, then a
 * Guaranteed one, then the one that waits longer (pkg/kubelet/allocation: sortPendingResizes).
 */
export function compareResizes(one: WaitingResize, other: WaitingResize): number {
  return (
    Number(asksForMore(one)) - Number(asksForMore(other)) ||
    (other.pod.spec.priority ?? 0) - (one.pod.spec.priority ?? 0) ||
    Number(isGuaranteed(other)) - Number(isGuaranteed(one)) ||
    one.turn - other.turn
  );
}

function asksForMore({ pod, given }: WaitingResize): boolean {
  return ['cpu', 'memory'].some(
    (name) => podAmount(pod, 'requests', name).cmp(podAmount(given, 'requests', name)) > 0,
  );
}

const isGuaranteed = ({ pod }: WaitingResize) => qualityOfService(pod) === 'Guaranteed';

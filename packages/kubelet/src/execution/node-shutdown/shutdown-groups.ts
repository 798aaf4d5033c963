import type { ShutdownGrace, ShutdownSettings } from '../../configuration/shutdown-graces.ts';
import { type AssignedPod, systemCriticalPriority } from '../../pod/assigned-pod.ts';

/** Pods that end together, and how long the shutdown waits for them. */
export interface ShutdownGroup {
  priority: number;
  graceSeconds: number;
  pods: readonly AssignedPod[];
}

/** Graces by the priority from which on they hold, lowest first; none where shutdowns are not waited for. */
export function shutdownGracesOf(settings: ShutdownSettings): readonly ShutdownGrace[] {
  const given = settings.shutdownGracePeriodByPodPriority;
  const graces = given.length > 0 ? given : gracesOfClasses(settings);
  return [...graces].sort((a, b) => a.priority - b.priority);
}

/** Normal pods first, within what critical ones leave of the whole. */
function gracesOfClasses(settings: ShutdownSettings): ShutdownGrace[] {
  const { shutdownGracePeriod: wholeMs, shutdownGracePeriodCriticalPods: criticalMs } = settings;
  if (wholeMs === 0) return [];
  const grace = (priority: number, durationMs: number) => ({
    priority,
    shutdownGracePeriodSeconds: Math.trunc(durationMs / 1_000),
  });
  return [grace(0, wholeMs - criticalMs), grace(systemCriticalPriority, criticalMs)];
}

/** How long all of them take at most. */
export function shutdownDurationMs(graces: readonly ShutdownGrace[]): number {
  return 1_000 * graces.reduce((sum, { shutdownGracePeriodSeconds }) => sum + shutdownGracePeriodSeconds, 0);
}

/**
 * Pods by the grace that holds for them, in the order in which they end; groups without pods are left out. A pod below
 * the lowest priority belongs to the first group.
 */
export function shutdownGroups(
  graces: readonly ShutdownGrace[],
  pods: readonly AssignedPod[],
): readonly ShutdownGroup[] {
  const indexOf = ({ spec: { priority = 0 } }: AssignedPod) =>
    Math.max(
      0,
      graces.findLastIndex((grace) => grace.priority <= priority),
    );
  return graces
    .map(({ priority, shutdownGracePeriodSeconds }, index) => ({
      priority,
      graceSeconds: shutdownGracePeriodSeconds,
      pods: pods.filter((pod) => indexOf(pod) === index),
    }))
    .filter((group) => group.pods.length > 0);
}

/** How long one pod of a group has, in seconds: its own grace where that is shorter. */
export function graceInGroup({ graceSeconds }: ShutdownGroup, { spec }: AssignedPod): number {
  return Math.min(graceSeconds, spec.terminationGracePeriodSeconds ?? graceSeconds);
}

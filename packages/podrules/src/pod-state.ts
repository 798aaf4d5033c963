import type { Container, Pod } from '@wherry/kubeapi/objects';

/** Whether a pod of that phase has ended: the phase never changes again, and what it asked for is free. */
export function isTerminalPhase(phase: string | undefined): boolean {
  return phase === 'Succeeded' || phase === 'Failed';
}

/** {@link isTerminalPhase} of a pod's own phase. */
export function isFinished(pod: Pick<Pod, 'status'>): boolean {
  return isTerminalPhase(pod.status?.phase);
}

/** Whether an init container is a sidecar: it runs beside the regular containers and is always restarted. */
export function isSidecar(container: Pick<Container, 'restartPolicy'>): boolean {
  return container.restartPolicy === 'Always';
}

/** Since when a pod is ready, in milliseconds since 1970; undefined while it is not. */
export function podReadySinceMs(pod: Pick<Pod, 'status'>): number | undefined {
  const ready = pod.status?.conditions?.find(({ type }) => type === 'Ready');
  if (ready?.status !== 'True') return undefined;
  return Date.parse(ready.lastTransitionTime ?? '') || 0;
}

/** Whether a pod's Ready condition is true. */
export function isPodReady(pod: Pick<Pod, 'status'>): boolean {
  return podReadySinceMs(pod) !== undefined;
}

/**
 * Milliseconds until a pod counts as available: 0 when it does, undefined while it is not ready (upstream:
 * pkg/api/v1/pod IsPodAvailable).
 */
export function podAvailableInMs(
  pod: Pick<Pod, 'status'>,
  minReadySeconds: number,
  nowMs: number,
): number | undefined {
  const sinceMs = podReadySinceMs(pod);
  if (sinceMs === undefined) return undefined;
  return minReadySeconds === 0 ? 0 : Math.max(0, sinceMs + minReadySeconds * 1000 - nowMs);
}

import type { Container, Pod } from '@wherry/kubeapi';

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

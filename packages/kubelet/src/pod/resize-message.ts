import type { Container } from '@wherry/kubeapi';
import type { AssignedPod } from './assigned-pod.ts';

/** Text of the events of a resize, in upstream's form: what the pod would have, as JSON (pkg/kubelet/events). */
export function resizeMessage(
  pod: AssignedPod,
  step: 'started' | 'completed' | 'error' | 'Deferred' | 'Infeasible',
  { generation, error }: { generation: number | undefined; error?: string },
): string {
  const told = ({ name, resources = {} }: Container) => ({ name, resources });
  const { initContainers = [], containers } = pod.spec;
  const summary = {
    ...(initContainers.length > 0 ? { initContainers: initContainers.map(told) } : {}),
    containers: containers.map(told),
    generation: generation ?? 0,
    ...(error ? { error } : {}),
  };
  return `Pod resize ${step}: ${JSON.stringify(summary)}`;
}

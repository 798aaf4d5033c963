import type { AssignedPod } from '../../pod/assigned-pod.ts';

/** Whether the pod declares resources as a whole: nothing is pinned then (upstream's gate PodLevelResourceManagers is off). */
export function declaresAsWhole({ spec }: AssignedPod): boolean {
  const { requests = {}, limits = {} } = spec.resources ?? {};
  return Object.keys(requests).length + Object.keys(limits).length > 0;
}

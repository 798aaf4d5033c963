import { ContainerState } from '@wherry/cri';
import { containerNameOf, type PodRecord } from '../../observation/pod-record.ts';
import type { AssignedPod } from '../../pod/assigned-pod.ts';
import { containersOf } from '../../pod/containers.ts';
import { restartsAll } from '../../pod/restart-policy.ts';
import type { ContainerReset } from './pod-actions.ts';

/**
 * Everything the runtime has of the pod's containers, in the order in which it goes: those whose end wanted it last, so that
 * it is not forgotten half way (upstream's getContainersToReset). What is there for debugging stays.
 */
export function planWholeRestart(pod: AssignedPod, record: PodRecord): ContainerReset[] {
  const found = containersOf(pod).flatMap((target) =>
    record.containers
      .filter((status) => containerNameOf(status) === target.container.name)
      .map(({ id, state, exitCode }) => {
        const hasEnded = state === ContainerState.CONTAINER_EXITED;
        const isCause = hasEnded && restartsAll(target.container, exitCode);
        return { isCause, reset: { containerId: id, target, isLive: !hasEnded } };
      }),
  );
  return [false, true].flatMap((isCause) =>
    ['regular', 'init'].flatMap((kind) =>
      found
        .filter((each) => each.isCause === isCause && each.reset.target.kind === kind)
        .map(({ reset }) => reset),
    ),
  );
}

import { isTerminalPhase } from '@wherry/podrules';
import type { AssignedPod } from '../../pod/assigned-pod.ts';
import { containersOf } from '../../pod/containers.ts';
import { canonicalImage } from './image-name.ts';

/** Images that pods name which are not at their end: of their containers and of their volumes. */
export function wantedImages(pods: Iterable<AssignedPod>): string[] {
  const named = [...pods]
    .filter(({ status }) => !isTerminalPhase(status?.phase))
    .flatMap((pod) => [
      ...containersOf(pod).map(({ container }) => container.image),
      ...(pod.spec.volumes ?? []).map(({ image }) => image?.reference),
    ]);
  return named.flatMap((name) => (name ? (canonicalImage(name) ?? []) : []));
}

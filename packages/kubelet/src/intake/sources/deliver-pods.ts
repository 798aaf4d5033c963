import type { AssignedPod } from '../../pod/assigned-pod.ts';
import { fullNameOf } from '../../pod/assigned-pod.ts';
import { isUpdate, type PodSourceHandlers } from './pod-changes.ts';

/** Static pods by UID; of two with one full name the first stays. */
export function byUid(pods: Iterable<AssignedPod>): Map<string, AssignedPod> {
  const kept = new Map<string, AssignedPod>();
  const names = new Set<string>();
  for (const pod of pods) {
    const name = fullNameOf(pod);
    if (!names.has(name)) kept.set(pod.metadata.uid, pod);
    names.add(name);
  }
  return kept;
}

/** Tells what became of the pods that a source had before: those that are gone, then those that are new or changed. */
export function deliverPods(
  before: ReadonlyMap<string, AssignedPod>,
  after: ReadonlyMap<string, AssignedPod>,
  handlers: PodSourceHandlers,
): void {
  for (const [uid, pod] of before) if (!after.has(uid)) handlers.removed(pod);
  for (const [uid, pod] of after) {
    const old = before.get(uid);
    if (!old) handlers.added(pod);
    else if (isUpdate(old, pod)) handlers.updated(pod);
  }
}

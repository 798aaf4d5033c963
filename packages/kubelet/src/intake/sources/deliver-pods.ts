import { podAnnotations } from '@wherry/podrules';
import { type AssignedPod, describeWithUid, fullNameOf } from '../../pod/assigned-pod.ts';
import { type EventRecorder, podEvents } from '../../reporting/events/recorder.ts';
import { isUpdate, type PodSourceHandlers } from './pod-changes.ts';

/**
 * Static pods of one source by UID; of two with one full name the first stays, and the other one is told of. What was seen
 * `before` counts as seen since then.
 */
export function byUid(
  pods: Iterable<AssignedPod>,
  {
    source,
    recorder,
    before,
  }: { source: 'file' | 'http'; recorder: EventRecorder; before: ReadonlyMap<string, AssignedPod> },
): Map<string, AssignedPod> {
  const kept = new Map<string, AssignedPod>();
  const names = new Set<string>();
  for (const pod of pods) {
    const name = fullNameOf(pod);
    if (!names.has(name)) kept.set(pod.metadata.uid, seenSince(before.get(pod.metadata.uid), pod));
    else {
      const what = `${describeWithUid(pod)} from ${source} due to duplicate pod name "${pod.metadata.name}"`;
      podEvents(recorder, pod).warn('FailedValidation', `Error validating pod ${what}, ignoring`);
    }
    names.add(name);
  }
  return kept;
}

function seenSince(before: AssignedPod | undefined, pod: AssignedPod): AssignedPod {
  const seen = before?.metadata.annotations?.[podAnnotations.seen];
  if (seen === undefined) return pod;
  const annotations = { ...pod.metadata.annotations, [podAnnotations.seen]: seen };
  return { ...pod, metadata: { ...pod.metadata, annotations } };
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

import { isDeepStrictEqual } from 'node:util';
import { podAnnotations } from '@wherry/podrules';
import type { AssignedPod } from '../../pod/assigned-pod.ts';

/** What a source of pods tells. */
export interface PodSourceHandlers {
  added(pod: AssignedPod): void;
  /** Spec, labels, annotations or deletion changed. */
  updated(pod: AssignedPod): void;
  /** Only the status, or what does not matter to a kubelet, changed. */
  reconciled(pod: AssignedPod): void;
  removed(pod: AssignedPod): void;
  /** Called once: the source has told of everything it holds. */
  ready(): void;
}

/** A source of pods. */
export interface PodSource {
  start(): void;
  close(): Promise<void>;
}

const localAnnotations: readonly string[] = [
  podAnnotations.source,
  podAnnotations.seen,
  podAnnotations.mirror,
];

/** Whether the difference of two versions of a pod matters to its containers. */
export function isUpdate(before: AssignedPod, after: AssignedPod): boolean {
  const [a, b] = [before.metadata, after.metadata];
  return !(
    a.deletionTimestamp === b.deletionTimestamp &&
    a.deletionGracePeriodSeconds === b.deletionGracePeriodSeconds &&
    isDeepStrictEqual(a.labels ?? {}, b.labels ?? {}) &&
    isDeepStrictEqual(remote(a.annotations), remote(b.annotations)) &&
    isDeepStrictEqual(before.spec, after.spec)
  );
}

function remote(annotations: Record<string, string> = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(annotations).filter(([name]) => !localAnnotations.includes(name)));
}

/** `pod` with the annotations that say where it came from and since when. */
export function withSource(pod: AssignedPod, source: string, seen: string): AssignedPod {
  const annotations = {
    ...pod.metadata.annotations,
    [podAnnotations.source]: source,
    [podAnnotations.seen]: seen,
  };
  return { ...pod, metadata: { ...pod.metadata, annotations } };
}

import type { AssignedPod } from '../pod/assigned-pod.ts';
import { newestContainer, type PodRecord } from './pod-record.ts';

/** Whether a container was made that starts only when this init container has ended. */
export function hasGonePast({ spec }: AssignedPod, record: PodRecord, initContainer: string): boolean {
  const inOrder = [...(spec.initContainers ?? []), ...spec.containers].map(({ name }) => name);
  const place = inOrder.indexOf(initContainer);
  if (place < 0 || place >= (spec.initContainers ?? []).length) return false;
  return inOrder.slice(place + 1).some((name) => newestContainer(record, name) !== undefined);
}

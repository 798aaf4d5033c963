import type { AssignedPod } from '../../pod/assigned-pod.ts';
import { fieldPathOf, type PodContainer } from '../../pod/containers.ts';

/** What an event is about. */
export interface EventObject {
  apiVersion: string;
  kind: string;
  name: string;
  namespace?: string | undefined;
  uid: string;
  resourceVersion?: string | undefined;
  /** Part of the object, such as `spec.containers{web}`. */
  fieldPath?: string | undefined;
}

/** `Normal` tells of progress, `Warning` of trouble. */
export type EventType = 'Normal' | 'Warning';

/** One thing that happened, in upstream's reasons and words. */
export interface EventFacts {
  object: EventObject;
  type: EventType;
  reason: string;
  message: string;
  annotations?: Readonly<Record<string, string>>;
}

/** Where events go. Never throws and never waits: what can't be sent is dropped and counted. */
export interface EventRecorder {
  record(event: EventFacts): void;
}

/** The pod, or one of its containers, as the object of an event. */
export function podObject(pod: AssignedPod, target?: PodContainer): EventObject {
  const { name, namespace, uid, resourceVersion } = pod.metadata;
  const fieldPath = target ? fieldPathOf(target) : undefined;
  return { apiVersion: 'v1', kind: 'Pod', name, namespace, uid, resourceVersion, fieldPath };
}

/** The node as the object of an event; upstream's kubelets give its name for its UID. */
export function nodeObject(nodeName: string): EventObject {
  return { apiVersion: 'v1', kind: 'Node', name: nodeName, uid: nodeName };
}

/** Shorthand for the events of one pod. */
export function podEvents(recorder: EventRecorder, pod: AssignedPod) {
  const at = (type: EventType) => (reason: string, message: string, target?: PodContainer) =>
    recorder.record({ object: podObject(pod, target), type, reason, message });
  return { normal: at('Normal'), warn: at('Warning') };
}

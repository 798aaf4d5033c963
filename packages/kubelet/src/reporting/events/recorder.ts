import type { EventObject, EventRecorder, EventType } from '@wherry/client';
import type { AssignedPod } from '../../pod/assigned-pod.ts';
import { fieldPathOf, type PodContainer } from '../../pod/containers.ts';

export type { EventFacts, EventObject, EventRecorder, EventType } from '@wherry/client';

/** The pod, or one of its containers, as the object of an event. */
export function podObject(pod: AssignedPod, target?: PodContainer): EventObject {
  const { name, namespace, uid, resourceVersion } = pod.metadata;
  const fieldPath = target ? fieldPathOf(target) : undefined;
  return { apiVersion: 'v1', kind: 'Pod', name, namespace, uid, resourceVersion, fieldPath };
}

/** The node as the object of an event; upstream's kubelets give its name for its UID. */
function nodeObject(nodeName: string): EventObject {
  return { apiVersion: 'v1', kind: 'Node', name: nodeName, uid: nodeName };
}

/** Shorthand for the events of the node. */
export function nodeEvents(recorder: EventRecorder, nodeName: string) {
  const at = (type: EventType) => (reason: string, message: string) =>
    recorder.record({ object: nodeObject(nodeName), type, reason, message });
  return { normal: at('Normal'), warn: at('Warning') };
}

/** Shorthand for the events of one pod. */
export function podEvents(recorder: EventRecorder, pod: AssignedPod) {
  const at = (type: EventType) => (reason: string, message: string, target?: PodContainer) =>
    recorder.record({ object: podObject(pod, target), type, reason, message });
  return { normal: at('Normal'), warn: at('Warning') };
}

import type { ObjectMeta, Pod, PodSpec } from '@wherry/kubeapi';
import { podAnnotations } from '@wherry/podrules';

/** A pod with everything a kubelet relies on: name, namespace, UID and at least one container. */
export type AssignedPod = Pod & {
  metadata: ObjectMeta & { name: string; namespace: string; uid: string };
  spec: PodSpec;
};

/** `pod` as an {@link AssignedPod}. Throws when it lacks a name, namespace, UID or containers. */
export function assignedPod(pod: Pod): AssignedPod {
  const { name, namespace, uid } = pod.metadata ?? {};
  const missing = Object.entries({ name, namespace, uid })
    .filter(([, value]) => !value)
    .map(([field]) => `metadata.${field}`);
  if (!pod.spec?.containers?.length) missing.push('spec.containers');
  if (missing.length > 0) throw new Error(`pod "${namespace}/${name}" lacks ${missing.join(', ')}`);
  return pod as AssignedPod;
}

/** The name that is unique per node at one time: `<name>_<namespace>`. */
export function fullNameOf(pod: AssignedPod): string {
  return `${pod.metadata.name}_${pod.metadata.namespace}`;
}

/** `namespace/name`, for people. */
export function describePod(pod: AssignedPod): string {
  return `${pod.metadata.namespace}/${pod.metadata.name}`;
}

/** The pod as upstream's events name it. */
export function describeWithUid({ metadata: { name, namespace, uid } }: AssignedPod): string {
  return `${name}_${namespace}(${uid})`;
}

/** Whether the pod comes from a manifest folder rather than from the API. */
export function isStaticPod(pod: AssignedPod): boolean {
  const source = pod.metadata.annotations?.[podAnnotations.source];
  return source !== undefined && source !== 'api';
}

/** Whether the pod is the API server's picture of a static pod. */
export function isMirrorPod(pod: AssignedPod): boolean {
  return pod.metadata.annotations?.[podAnnotations.mirror] !== undefined;
}

/** Whether the pod shares the node's network. */
export function isHostNetwork(pod: AssignedPod): boolean {
  return pod.spec.hostNetwork === true;
}

/** Priority from which on a pod counts as critical to the node (scheduling.k8s.io system classes). */
export const systemCriticalPriority = 2_000_000_000;

/** Whether the pod must run for the node to work: static, mirror, or of a system priority. */
export function isCriticalPod(pod: AssignedPod): boolean {
  return isStaticPod(pod) || isMirrorPod(pod) || (pod.spec.priority ?? 0) >= systemCriticalPriority;
}

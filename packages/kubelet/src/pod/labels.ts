/**
 * The labels and annotations by which a kubelet finds its sandboxes and containers again. Names and values are those
 * of upstream, key for key, so that either kubelet can take over from the other.
 */
import type { Container, ContainerPort, LifecycleHandler } from '@wherry/kubeapi';
import type { AssignedPod } from './assigned-pod.ts';
import { containerHash } from './container-hash.ts';

/** Label names on sandboxes and containers. */
export const containerLabels = {
  podName: 'io.kubernetes.pod.name',
  podNamespace: 'io.kubernetes.pod.namespace',
  podUid: 'io.kubernetes.pod.uid',
  containerName: 'io.kubernetes.container.name',
} as const;

/** Annotation names on containers. */
export const containerAnnotations = {
  hash: 'io.kubernetes.container.hash',
  restartCount: 'io.kubernetes.container.restartCount',
  terminationMessagePath: 'io.kubernetes.container.terminationMessagePath',
  terminationMessagePolicy: 'io.kubernetes.container.terminationMessagePolicy',
  preStopHandler: 'io.kubernetes.container.preStopHandler',
  ports: 'io.kubernetes.container.ports',
  podDeletionGracePeriod: 'io.kubernetes.pod.deletionGracePeriod',
  podTerminationGracePeriod: 'io.kubernetes.pod.terminationGracePeriod',
} as const;

function podIdentity(pod: AssignedPod): Record<string, string> {
  return {
    [containerLabels.podName]: pod.metadata.name,
    [containerLabels.podNamespace]: pod.metadata.namespace,
    [containerLabels.podUid]: pod.metadata.uid,
  };
}

/** Labels of a sandbox: the pod's own, under the kubelet's. */
export function sandboxLabels(pod: AssignedPod): Record<string, string> {
  return { ...pod.metadata.labels, ...podIdentity(pod) };
}

/** Labels of a container. */
export function labelsOf(pod: AssignedPod, container: Container): Record<string, string> {
  return { [containerLabels.containerName]: container.name, ...podIdentity(pod) };
}

/** Annotations of a container: what is needed to count restarts, and to stop it when its pod's spec is gone. */
export function annotationsOf(
  pod: AssignedPod,
  container: Container,
  restartCount: number,
): Record<string, string> {
  const annotations: Record<string, string> = {
    [containerAnnotations.hash]: containerHash(container),
    [containerAnnotations.restartCount]: String(restartCount),
    [containerAnnotations.terminationMessagePath]: container.terminationMessagePath ?? '',
    [containerAnnotations.terminationMessagePolicy]: container.terminationMessagePolicy ?? '',
  };
  const { deletionGracePeriodSeconds } = pod.metadata;
  const { terminationGracePeriodSeconds } = pod.spec;
  if (deletionGracePeriodSeconds !== undefined) {
    annotations[containerAnnotations.podDeletionGracePeriod] = String(deletionGracePeriodSeconds);
  }
  if (terminationGracePeriodSeconds !== undefined) {
    annotations[containerAnnotations.podTerminationGracePeriod] = String(terminationGracePeriodSeconds);
  }
  const preStop = container.lifecycle?.preStop;
  if (preStop) annotations[containerAnnotations.preStopHandler] = JSON.stringify(preStop);
  if (container.ports?.length) annotations[containerAnnotations.ports] = JSON.stringify(container.ports);
  return annotations;
}

/** As much of a container as its annotations tell, to stop it when its pod's spec is gone. What can't be read is not told. */
export function restoredContainer(name: string, annotations: Readonly<Record<string, string>>): Container {
  const preStop = parsed<LifecycleHandler>(annotations[containerAnnotations.preStopHandler]);
  const ports = parsed<ContainerPort[]>(annotations[containerAnnotations.ports]);
  return { name, ...(preStop && { lifecycle: { preStop } }), ...(Array.isArray(ports) && { ports }) };
}

function parsed<Value extends object>(text: string | undefined): Value | undefined {
  try {
    const value: unknown = JSON.parse(text ?? 'null');
    return typeof value === 'object' && value !== null ? (value as Value) : undefined;
  } catch {
    return undefined;
  }
}

/** The restart count a container was made with; 0 when its annotation is missing or no number. */
export function restartCountOf(annotations: Readonly<Record<string, string>>): number {
  const count = Number(annotations[containerAnnotations.restartCount]);
  return Number.isSafeInteger(count) && count > 0 ? count : 0;
}

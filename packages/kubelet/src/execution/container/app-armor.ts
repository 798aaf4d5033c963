import { type AppArmorProfile, type Container, ownValue } from '@wherry/kubeapi';
import type { AssignedPod } from '../../pod/assigned-pod.ts';

/** Annotation of the time before the field; upstream keeps to it for static pods (pkg/security/apparmor/helpers.go). */
const annotationPrefix = 'container.apparmor.security.beta.kubernetes.io/';

/** The AppArmor profile of a container: its own, then its annotation, then the pod's; undefined when none is asked for. */
export function appArmorProfileOf(pod: AssignedPod, container: Container): AppArmorProfile | undefined {
  return (
    container.securityContext?.appArmorProfile ??
    fromAnnotation(ownValue(pod.metadata.annotations, annotationPrefix + container.name)) ??
    pod.spec.securityContext?.appArmorProfile
  );
}

function fromAnnotation(text: string | undefined): AppArmorProfile | undefined {
  if (text === 'runtime/default') return { type: 'RuntimeDefault' };
  if (text === 'unconfined') return { type: 'Unconfined' };
  if (!text?.startsWith('localhost/')) return undefined;
  return { type: 'Localhost', localhostProfile: text.slice('localhost/'.length) };
}

import { controllerReference, kinds } from '@wherry/client';
import type { Pod, ResourceClaimTemplate, ResourceV1ResourceClaim } from '@wherry/kubeapi/objects';
import { type PodDeviceClaim, podDeviceClaims } from '@wherry/podrules';

/** On a claim that was made from a template: as the pod names it (upstream's PodResourceClaimAnnotation). */
export const podClaimAnnotation = 'resource.kubernetes.io/pod-claim-name';

/** What of a name of 63 characters the end of five that the server makes and its hyphen leave. */
const baseLengthMax = 57;

/** The claim of a pod that its template stands for. */
export function claimFromTemplate(
  pod: Pod,
  { name }: PodDeviceClaim,
  { spec }: ResourceClaimTemplate,
): ResourceV1ResourceClaim {
  const { labels, annotations } = spec.metadata ?? {};
  const { blockOwnerDeletion: _, ...owner } = controllerReference(kinds.pods, pod);
  return {
    apiVersion: 'resource.k8s.io/v1',
    kind: 'ResourceClaim',
    metadata: {
      generateName: baseName(pod.metadata.name ?? '', name),
      namespace: pod.metadata.namespace,
      ownerReferences: [owner],
      annotations: { ...annotations, [podClaimAnnotation]: name },
      ...(labels ? { labels } : {}),
    },
    spec: structuredClone(spec.spec),
  } as ResourceV1ResourceClaim;
}

/** Both names, each cut by the same share where they are too long together. */
function baseName(podName: string, claimName: string): string {
  const whole = `${podName}-${claimName}-`;
  if (whole.length <= baseLengthMax) return whole;
  const cut = (name: string) => name.slice(0, Math.trunc((name.length * baseLengthMax) / whole.length));
  return `${cut(podName)}-${cut(claimName)}`;
}

/** The pod that a claim was made for. */
export function owningPod({ metadata }: ResourceV1ResourceClaim): { name: string; uid: string } | undefined {
  return metadata.ownerReferences?.find(
    ({ controller, apiVersion, kind }) => controller && apiVersion === 'v1' && kind === 'Pod',
  );
}

/** Whether a pod names a template. */
export const namesTemplate = (pod: Pod, { metadata }: ResourceClaimTemplate): boolean =>
  metadata.namespace === pod.metadata.namespace &&
  podDeviceClaims(pod).some(({ templateName }) => templateName === metadata.name);

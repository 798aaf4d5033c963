import { controllerReference, kinds } from '@wherry/client';
import type { ContainerExtendedResourceRequest, Pod, ResourceV1ResourceClaim } from '@wherry/kubeapi/objects';
import type { ExtendedRequests } from './extended-requests.ts';

/** On a claim that was made for the extended resources of a pod (upstream: ExtendedResourceClaimAnnotation). */
const annotation = 'resource.kubernetes.io/extended-resource-claim';

/** A claim for a pod's extended resources that is yet to be made. */
export interface ExtendedClaim {
  /** Its name is no name that a claim can have, and its uid none of a server's. */
  claim: ResourceV1ResourceClaim;
  mappings: readonly ContainerExtendedResourceRequest[];
}

/** The claim for what a pod asks for. */
export function extendedClaim(pod: Pod, { requests, mappings }: ExtendedRequests): ExtendedClaim {
  const { namespace, name, uid } = pod.metadata;
  const { blockOwnerDeletion: _, ...owner } = controllerReference(kinds.pods, pod);
  const claim: ResourceV1ResourceClaim = {
    apiVersion: 'resource.k8s.io/v1',
    kind: 'ResourceClaim',
    metadata: {
      ...{ namespace, name: '<extended-resources>', uid: `extended-resources/${uid}` },
      generateName: `${name}-extended-resources-`,
      ownerReferences: [owner],
      annotations: { [annotation]: 'true' },
    },
    spec: { devices: { requests } },
  };
  return { claim, mappings };
}

/** The claim that an earlier attempt made for the pod. */
export function leftoverClaim(
  { metadata }: Pod,
  claims: Iterable<ResourceV1ResourceClaim>,
): ResourceV1ResourceClaim | undefined {
  for (const claim of claims) {
    const { annotations = {}, ownerReferences = [] } = claim.metadata;
    if (annotations[annotation] !== 'true') continue;
    if (ownerReferences.some(({ controller, uid }) => controller && uid === metadata.uid)) return claim;
  }
  return undefined;
}

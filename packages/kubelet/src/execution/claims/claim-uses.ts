import type { Container } from '@wherry/kubeapi';
import { podDeviceClaims } from '@wherry/podrules';
import type { AssignedPod } from '../../pod/assigned-pod.ts';

/** A claim that a pod uses. */
export interface PodClaim {
  /** Of the object. */
  name: string;
  /** It was made for the pod from a template: the pod has to own it. */
  isMade: boolean;
}

/** What of a claim a container uses. */
export interface ContainerClaim {
  /** As the container's status names it. */
  label: string;
  /** Of the object. */
  claimName: string;
  /** '' = all of it. */
  request: string;
}

/**
 * The claims that a pod uses: those that it names, where one is needed, and the one that a scheduler made for its extended
 * resources. Throws, in upstream's words, for one that has not been made yet.
 */
export function claimsOf(pod: AssignedPod): PodClaim[] {
  const { namespace, name } = pod.metadata;
  const named = podDeviceClaims(pod).flatMap((each) => {
    const { claimName, templateName } = each;
    if (claimName === undefined)
      throw new Error(
        templateName === undefined
          ? `pod "${namespace}/${name}", spec.resourceClaim "${each.name}": none of the supported fields are set`
          : `pod "${namespace}/${name}": ResourceClaim not created yet`,
      );
    return claimName === null ? [] : [{ name: claimName, isMade: templateName !== undefined }];
  });
  const extended = pod.status?.extendedResourceClaimStatus;
  return extended ? [...named, { name: extended.resourceClaimName, isMade: false }] : named;
}

/** What a container uses of its pod's claims, in the order in which it names them. */
export function usesOf(pod: AssignedPod, container: Container): ContainerClaim[] {
  const names = new Map(podDeviceClaims(pod).map(({ name, claimName }) => [name, claimName]));
  const named = (container.resources?.claims ?? []).flatMap(({ name, request = '' }) => {
    const claimName = names.get(name);
    const label = `claim:${name}${request === '' ? '' : `/${request}`}`;
    return claimName ? [{ label, claimName, request }] : [];
  });
  return [...named, ...extendedUsesOf(pod, container)];
}

/** Extended resources that a claim stands for (upstream: DRAExtendedResource). */
function extendedUsesOf({ status }: AssignedPod, { name, resources }: Container): ContainerClaim[] {
  const { resourceClaimName: claimName, requestMappings = [] } = status?.extendedResourceClaimStatus ?? {};
  if (!claimName) return [];
  const asked = new Map(Object.entries(resources?.requests ?? {}));
  return requestMappings
    .filter(({ containerName, resourceName }) => containerName === name && asked.has(resourceName))
    .map(({ requestName: request }) => ({ label: '', claimName, request }));
}

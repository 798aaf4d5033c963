import type { Container } from '@wherry/kubeapi';
import type { AssignedPod } from './assigned-pod.ts';

/** Whether a container has an extended resource by a claim that the scheduler made for its pod: then nobody else gives it. */
export function isClaimed(
  { status }: AssignedPod,
  { name }: Pick<Container, 'name'>,
  resource: string,
): boolean {
  const { requestMappings = [] } = status?.extendedResourceClaimStatus ?? {};
  return requestMappings.some((each) => each.containerName === name && each.resourceName === resource);
}

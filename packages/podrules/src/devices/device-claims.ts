import type {
  DeviceTaint,
  DeviceToleration,
  Pod,
  ResourceClaimConsumerReference,
  ResourceV1ResourceClaim,
} from '@wherry/kubeapi/objects';

/** Keeps a claim that is allocated from going (upstream: resource.Finalizer). */
export const deviceClaimFinalizer = 'resource.kubernetes.io/delete-protection';

/** Pods that may have one claim at once (upstream's ResourceClaimReservedForMaxSize). */
const usersMax = 256;

/** A claim on devices as a pod names it (upstream: dynamic-resource-allocation/resourceclaim). */
export interface PodDeviceClaim {
  /** As containers name it. */
  name: string;
  /** The object's name: undefined until it has been made from its template, null where none is needed. */
  claimName: string | null | undefined;
  /** What it is made from, by the resource claim controller. */
  templateName?: string;
}

/** The claims on devices that a pod names. */
export function podDeviceClaims({ spec, status }: Pod): PodDeviceClaim[] {
  return (spec?.resourceClaims ?? []).map(({ name, resourceClaimName, resourceClaimTemplateName }) => {
    if (resourceClaimTemplateName === undefined) return { name, claimName: resourceClaimName };
    const made = status?.resourceClaimStatuses?.find((each) => each.name === name);
    return {
      name,
      claimName: made && (made.resourceClaimName ?? null),
      templateName: resourceClaimTemplateName,
    };
  });
}

/** Why a claim that should have been made for the pod was not, in upstream's words. */
export function strangersDeviceClaim(
  { metadata: pod }: Pod,
  claim: ResourceV1ResourceClaim,
): string | undefined {
  const { namespace, name, ownerReferences = [] } = claim.metadata;
  if (ownerReferences.some(({ controller, uid }) => controller && uid === pod.uid)) return undefined;
  return `ResourceClaim ${namespace}/${name} was not created for Pod ${pod.namespace}/${pod.name} (Pod is not owner)`;
}

/** Whether the claim says that the pod may use its devices. */
export function isReservedFor({ metadata }: Pod, { status }: ResourceV1ResourceClaim): boolean {
  return (status?.reservedFor ?? []).some(({ uid }) => uid === metadata.uid);
}

/** Who may use its devices once the pod may, too. */
export function usersWith(
  { metadata: { name = '', uid = '' } }: Pod,
  { status }: ResourceV1ResourceClaim,
): ResourceClaimConsumerReference[] {
  return [...(status?.reservedFor ?? []), { resource: 'pods', name, uid }];
}

/** Whether one more pod may use its devices. */
export function canBeReserved({ status }: ResourceV1ResourceClaim): boolean {
  return (status?.reservedFor ?? []).length < usersMax;
}

/** Whether a claim's toleration is about the taint (upstream: resourceclaim.ToleratesTaint). */
export function toleratesDeviceTaint(
  { key = '', operator, value = '', effect }: DeviceToleration,
  taint: DeviceTaint,
): boolean {
  if ((effect && effect !== taint.effect) || (key !== '' && key !== taint.key)) return false;
  return operator === 'Exists' || value === (taint.value ?? '');
}

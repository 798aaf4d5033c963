import type { Quantity, ResourceV1ResourceClaim } from '@wherry/kubeapi/objects';
import { type Amounts, addAmounts } from '../amounts.ts';
import { deviceClassFor, deviceClassPrefix, isExtendedResource } from '../devices/extended-resources.ts';
import { countOf, objectCountName, type QuotaMeasure, type QuotaView } from './measure.ts';
import { podMeasure } from './pods.ts';

const countName = objectCountName({ group: 'resource.k8s.io', plural: 'resourceclaims' });
const ofClass = '.deviceclass.resource.k8s.io/devices';
const requestPrefix = 'requests.';
/** On claims that a scheduler made for the extended resources of a pod. */
const extendedAnnotation = 'resource.kubernetes.io/extended-resource-claim';
/** What a request for all devices may get at most (resource.AllocationResultsMaxSize). */
const devicesMax = 32;

/**
 * Resource claims, and the devices of each class that they may get at most: by the class, and by the extended resources
 * that it stands for, where a pod is not charged for them already.
 */
export const deviceClaimMeasure: QuotaMeasure<ResourceV1ResourceClaim> = {
  measures: (name, view) =>
    name === countName || name.endsWith(ofClass) || (view !== undefined && isOfClass(name, view)),
  usage(claim, nowMs, view) {
    const used = new Map([[countName, countOf(1)]]);
    const byClass = devicesByClass(claim);
    for (const [className, count] of byClass) used.set(`${className}${ofClass}`, count);
    if (!view) return used;
    const charged = podUsage(claim, view, nowMs);
    for (const [name, count] of extendedUsage(byClass, view)) {
      const known = charged.get(name);
      const left = known ? count.sub(known) : count;
      if (left.sign() > 0) used.set(name, left);
    }
    return used;
  },
  mayUseMore: (_next, _previous, subresource) => subresource === '',
};

/** As upstream, a class' own name counts only where the class names a resource besides. */
function isOfClass(name: string, { deviceClasses }: QuotaView): boolean {
  if (!name.startsWith(requestPrefix)) return false;
  const resource = name.slice(requestPrefix.length);
  const isImplicit = resource.startsWith(deviceClassPrefix);
  if (!isImplicit && !isExtendedResource(resource)) return false;
  const found = deviceClassFor(resource, deviceClasses);
  return isImplicit ? Boolean(found?.spec.extendedResourceName) : found !== undefined;
}

/** How many devices of each class the claim may get at most. */
function devicesByClass({ spec }: ResourceV1ResourceClaim): Map<string, Quantity> {
  const sums = new Map<string, Quantity>();
  for (const { exactly, firstAvailable = [] } of spec?.devices?.requests ?? []) {
    const most = new Map<string, Quantity>();
    for (const choice of firstAvailable.length > 0 ? firstAvailable : exactly ? [exactly] : []) {
      const count = devicesOf(choice);
      const known = most.get(choice.deviceClassName);
      if (!known || count.cmp(known) > 0) most.set(choice.deviceClassName, count);
    }
    addAmounts(sums, most);
  }
  return sums;
}

function devicesOf({ allocationMode, count }: { allocationMode?: string; count?: unknown }): Quantity {
  if (allocationMode === 'All') return countOf(devicesMax);
  return countOf(allocationMode === 'ExactCount' && typeof count === 'number' ? count : 0);
}

/** The same by the names under which quotas know extended resources. */
function extendedUsage(byClass: Amounts, { deviceClasses }: QuotaView): Amounts {
  const named = new Map(deviceClasses.map(({ metadata, spec }) => [metadata.name, spec]));
  const used = new Map<string, Quantity>();
  for (const [className, count] of byClass) {
    const resource = named.get(className)?.extendedResourceName;
    const names = [`${deviceClassPrefix}${className}`, ...(resource ? [resource] : [])];
    addAmounts(used, new Map(names.map((name) => [`${requestPrefix}${name}`, count])));
  }
  return used;
}

const nothing: Amounts = new Map();

/** What the pod is charged for whose extended resources the claim is for: of several claims only the first is. */
function podUsage(claim: ResourceV1ResourceClaim, view: QuotaView, nowMs: number): Amounts {
  const owner = ownerOf(claim);
  const pod = owner && view.podNamed(owner.name);
  if (!pod || pod.metadata.uid !== owner.uid) return nothing;
  const told = pod.status?.extendedResourceClaimStatus;
  const isFirst = !view.claims.some((other) => ownerOf(other)?.uid === owner.uid && isBefore(other, claim));
  const isOurs = told ? told.resourceClaimName === claim.metadata.name : isFirst;
  return isOurs ? podMeasure.usage(pod, nowMs) : nothing;
}

function ownerOf({ metadata }: ResourceV1ResourceClaim): { name: string; uid: string } | undefined {
  const { annotations = {}, ownerReferences = [] } = metadata;
  if (!Object.hasOwn(annotations, extendedAnnotation) || annotations[extendedAnnotation] !== 'true')
    return undefined;
  const owner = ownerReferences.find(({ controller }) => controller);
  return owner?.kind === 'Pod' && owner.apiVersion === 'v1' ? owner : undefined;
}

/** Whether a claim is older than another; one that is not stored yet is younger than all. */
function isBefore({ metadata: one }: ResourceV1ResourceClaim, { metadata: other }: ResourceV1ResourceClaim) {
  if (one.name === other.name) return false;
  const [born, otherBorn] = [one, other].map(
    ({ creationTimestamp = '' }) => Date.parse(creationTimestamp) || Number.POSITIVE_INFINITY,
  );
  return born === otherBorn ? (one.name ?? '') < (other.name ?? '') : born! < otherBorn!;
}

import {
  type DeviceClass,
  type Pod,
  parseQuantity,
  type Quantity,
  type ResourceV1ResourceClaim,
  type ScopedResourceSelectorRequirement,
} from '@wherry/kubeapi/objects';
import type { Amounts } from '../amounts.ts';

/** What else tells how much an object uses: devices of claims count by the names of extended resources, too. */
export interface QuotaView {
  deviceClasses: readonly DeviceClass[];
  /** The pod of that name in the object's namespace. */
  podNamed(name: string): Pod | undefined;
  /** The claims of the object's namespace. */
  claims: readonly ResourceV1ResourceClaim[];
}

/** How much objects of one resource use of what quotas bound (upstream: pkg/quota/v1, Evaluator). */
export interface QuotaMeasure<T = object> {
  /** Whether a name in a quota is one that these objects use. */
  measures(name: string, view?: QuotaView): boolean;
  /** What one object uses, of these names. */
  usage(object: T, nowMs: number, view?: QuotaView): Amounts;
  /** Whether an object is in a scope; where it is absent none is. */
  isInScope?(scope: ScopedResourceSelectorRequirement, object: T): boolean;
  /** What an object must say since these names are bound, and does not; undefined when nothing is missing. */
  missing?(names: readonly string[], object: T): string | undefined;
  /** Whether an update, of this sub-resource, can use more; where it is absent none can. */
  mayUseMore?(next: T, previous: T, subresource: string): boolean;
}

/** A whole number as an amount. */
export function countOf(count: number): Quantity {
  return parseQuantity(String(count));
}

/** A resource's own name for a count of its objects. */
export function objectCountName({ group, plural }: { group: string; plural: string }): string {
  return group === '' ? `count/${plural}` : `count/${plural}.${group}`;
}

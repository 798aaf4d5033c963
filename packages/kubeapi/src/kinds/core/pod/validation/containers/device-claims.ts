/** Violations in a pod's claims on devices, and in what its containers name of them. */

import type { PodResourceClaim, ResourceClaim } from '../../../../../generated/types.ts';
import type { JsonValue } from '../../../../../json/json-value.ts';
import {
  at,
  child,
  duplicate,
  type FieldError,
  type FieldPath,
  invalidValue,
  missing,
  required,
} from '../../../../../status/field-error.ts';
import { dnsLabel, dnsSubdomain } from '../../../../../validation/formats.ts';
import { check } from '../../../../../validation/metadata.ts';

/** Each mistake tells which names there are. */
const shownNamesMax = 32;

/** Violations in `resourceClaims`. */
export function validatePodClaims(claims: readonly PodResourceClaim[], field: FieldPath): FieldError[] {
  const seen = new Set<string>();
  return claims.flatMap((claim, index) => {
    const place = at(field, index);
    const { name = '', resourceClaimName: named, resourceClaimTemplateName: made } = claim;
    const errors: FieldError[] = [];
    if (name === '') errors.push(required(child(place, 'name')));
    else if (seen.has(name)) errors.push(duplicate(child(place, 'name'), name));
    else errors.push(...check(child(place, 'name'), name, dnsLabel));
    seen.add(name);
    const whole = claim as unknown as JsonValue;
    if (named !== undefined && made !== undefined) {
      const detail = 'at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified';
      errors.push(invalidValue(place, whole, detail));
    }
    if (named === undefined && made === undefined) {
      const detail = 'must specify one of: `resourceClaimName`, `resourceClaimTemplateName`';
      errors.push(invalidValue(place, whole, detail));
    }
    if (named !== undefined) errors.push(...check(child(place, 'resourceClaimName'), named, dnsSubdomain));
    if (made !== undefined)
      errors.push(...check(child(place, 'resourceClaimTemplateName'), made, dnsSubdomain));
    return errors;
  });
}

/** Violations in the `claims` of a container's resources; `known` are the names of the pod's. */
export function validateClaimReferences(
  claims: readonly ResourceClaim[],
  known: ReadonlySet<string>,
  field: FieldPath,
): FieldError[] {
  /** The requests that were named of each claim; '' is all of them. */
  const seen = new Map<string, Set<string>>();
  const names = claims.length === 0 ? '' : shownNames(known);
  return claims.flatMap(({ name, request = '' }, index) => {
    const place = at(field, index);
    if (!name) return [required(place)];
    const before = seen.get(name) ?? new Set<string>();
    const errors: FieldError[] = [];
    if (before.has('')) errors.push(duplicate(place, name));
    else {
      if (request === '') errors.push(...[...before].map(() => duplicate(place, name)));
      else errors.push(...check(child(place, 'request'), request, dnsLabel));
      if (before.has(request)) errors.push(duplicate(place, `${name}/${request}`));
      seen.set(name, before.add(request));
    }
    if (!known.has(name)) errors.push(unknownName(place, name, names));
    return errors;
  });
}

function unknownName(place: FieldPath, name: string, names: string): FieldError {
  const plain = missing(place, name);
  return { ...plain, body: `${plain.body}: must be one of the names in pod.spec.resourceClaims${names}` };
}

function shownNames(known: ReadonlySet<string>): string {
  if (known.size === 0) return ' which is empty';
  const names = [...known].slice(0, shownNamesMax).sort();
  return `: ${[...names, ...(known.size > shownNamesMax ? ['…'] : [])].join(', ')}`;
}

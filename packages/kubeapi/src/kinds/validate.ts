/** The one door to validation: which checks each kind goes through on creation and on change. */

import type { GroupVersionKind, ObjectMeta } from '../generated/types.ts';
import { ownValue } from '../json/json-value.ts';
import { findResourceOfKind } from '../schema/resources.ts';
import type { FieldError } from '../status/field-error.ts';
import { dnsSubdomain } from '../validation/formats.ts';
import { validateKnownFinalizers, validateMetadata, validateMetadataUpdate } from '../validation/metadata.ts';
import { kindDefinition } from './index.ts';
import { inHub } from './versions.ts';

interface WithMetadata {
  metadata?: ObjectMeta;
}

/** Violations in an object that is to be created; it must be in the schema's form, with defaults filled in. */
export function validateCreate(gvk: GroupVersionKind, object: object): FieldError[] {
  const { metadata = {} } = object as WithMetadata;
  const resource = findResourceOfKind(gvk);
  // Reviews and bodies of sub-resources are never stored: they need no name.
  const isStored = resource?.verbs.includes('get') ?? false;
  const definition = kindDefinition(gvk);
  const rules = { namespaced: resource?.namespaced ?? false, name: definition?.nameFormat ?? dnsSubdomain };
  return [
    ...(isStored ? [...validateMetadata(metadata, rules), ...finalizersOf(gvk, metadata)] : []),
    ...(definition?.validate?.(inHub(gvk, object) as never) ?? []),
  ];
}

/** Violations in a change from `previous` to `next`, both in the schema's form; '' is the object itself. */
export function validateUpdate(
  gvk: GroupVersionKind,
  next: object,
  previous: object,
  subresource = '',
): FieldError[] {
  const { metadata = {} } = next as WithMetadata;
  const { metadata: before = {} } = previous as WithMetadata;
  const definition = kindDefinition(gvk);
  const [hubNext, hubPrevious] = [inHub(gvk, next) as never, inHub(gvk, previous) as never];
  const own =
    ownValue(definition?.validateSubresource, subresource)?.(hubNext, hubPrevious) ??
    definition?.validateUpdate?.(hubNext, hubPrevious) ??
    definition?.validate?.(hubNext) ??
    [];
  return [...validateMetadataUpdate(metadata, before), ...finalizersOf(gvk, metadata), ...own];
}

/** Groups whose kinds may have any finalizer, as custom resources may (upstream checks them by apimachinery's rules alone). */
const anyFinalizer = new Set([
  'admissionregistration.k8s.io',
  'apiextensions.k8s.io',
  'apiregistration.k8s.io',
  'coordination.k8s.io',
  'node.k8s.io',
]);

const finalizersOf = ({ group }: GroupVersionKind, metadata: ObjectMeta): FieldError[] =>
  anyFinalizer.has(group) ? [] : validateKnownFinalizers(metadata);

/** True for kinds that have rules of their own, beyond those of metadata. */
export function hasOwnRules(gvk: GroupVersionKind): boolean {
  return kindDefinition(gvk)?.validate !== undefined;
}

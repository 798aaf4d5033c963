/** What holds for the metadata of every object (apimachinery pkg/api/validation). */

import type { LabelSelector, ManagedFieldsEntry, ObjectMeta, OwnerReference } from '../generated/types.ts';
import { type JsonValue, jsonEqual } from '../json/json-value.ts';
import { parseApiVersion } from '../schema/resources.ts';
import {
  at,
  child,
  duplicate,
  type FieldError,
  type FieldPath,
  forbiddenField,
  invalidValue,
  required,
  tooLong,
} from '../status/field-error.ts';
import { asPrefix, dnsLabel, type FormatCheck, labelValueFormat, qualifiedName } from './formats.ts';

const annotationsBytesMax = 256 * 1024;
const path = 'metadata';

/** What differs from kind to kind. */
export interface MetadataRules {
  namespaced: boolean;
  name: FormatCheck;
}

/** Runs a format check on a text as a field. */
export function check(field: FieldPath, text: string, format: FormatCheck): FieldError[] {
  return format(text).map((complaint) => invalidValue(field, text, complaint));
}

/** Violations in the metadata of an object that is created, or of one that is stored anew. */
export function validateMetadata(metadata: ObjectMeta, rules: MetadataRules): FieldError[] {
  const { name = '', generateName = '' } = metadata;
  return [
    ...(generateName === '' ? [] : check(child(path, 'generateName'), generateName, asPrefix(rules.name))),
    ...(name === ''
      ? [required(child(path, 'name'), 'name or generateName is required')]
      : check(child(path, 'name'), name, rules.name)),
    ...validateNamespace(metadata.namespace ?? '', rules.namespaced),
    ...nonNegative(child(path, 'generation'), metadata.generation),
    ...validateShared(metadata),
  ];
}

/** Violations of what must stay the same in an update. */
export function validateMetadataUpdate(next: ObjectMeta, previous: ObjectMeta): FieldError[] {
  const errors = previous.deletionTimestamp ? newFinalizers(next, previous) : [];
  if (!next.resourceVersion) {
    errors.push(invalidValue(child(path, 'resourceVersion'), '', 'must be specified for an update'));
  }
  if ((next.generation ?? 0) < (previous.generation ?? 0)) {
    errors.push(invalidValue(child(path, 'generation'), next.generation ?? 0, 'must not be decremented'));
  }
  for (const field of ['name', 'namespace', 'uid'] as const) {
    errors.push(...immutable(child(path, field), next[field] ?? '', previous[field] ?? ''));
  }
  for (const field of ['creationTimestamp', 'deletionTimestamp', 'deletionGracePeriodSeconds'] as const) {
    errors.push(...immutable(child(path, field), next[field], previous[field]));
  }
  return [...errors, ...validateShared(next)];
}

/** Those that carry no domain. */
const standardFinalizers = ['kubernetes', 'orphan', 'foregroundDeletion'];

/** Whether a finalizer's name says whose it is, or is a standard one. */
export const isKnownFinalizer = (text: string): boolean =>
  text.includes('/') || standardFinalizers.includes(text);

/** Violations in the name of a finalizer: a standard one, or one that carries a domain. */
export function validateFinalizer(text: string, field: FieldPath): FieldError[] {
  return [...check(field, text, qualifiedName), ...validateKnownFinalizer(text, field)];
}

/** Violations in the finalizers of a kind that takes only known ones: beyond what holds for every object. */
export function validateKnownFinalizers({ finalizers = [] }: ObjectMeta): FieldError[] {
  const field = child(path, 'finalizers');
  return finalizers.flatMap((text, index) => validateKnownFinalizer(text, at(field, index)));
}

/** What is to be deleted leaves its dependents or takes them along. */
function validateFinalizers(finalizers: string[], field: FieldPath): FieldError[] {
  const errors = finalizers.flatMap((text) => check(field, text, qualifiedName));
  if (finalizers.includes('orphan') && finalizers.includes('foregroundDeletion')) {
    const detail = 'finalizer orphan and foregroundDeletion cannot be both set';
    errors.push(invalidValue(field, finalizers, detail));
  }
  return errors;
}

function validateKnownFinalizer(text: string, field: FieldPath): FieldError[] {
  if (isKnownFinalizer(text)) return [];
  return [invalidValue(field, text, 'name is neither a standard finalizer name nor is it fully qualified')];
}

function validateManager(
  { operation = '', fieldsType = '' }: ManagedFieldsEntry,
  index: number,
): FieldError[] {
  const place = at(child(path, 'managedFields'), index);
  const errors: FieldError[] = [];
  if (operation !== 'Apply' && operation !== 'Update') {
    errors.push(invalidValue(child(place, 'operation'), operation, 'must be `Apply` or `Update`'));
  }
  if (fieldsType !== '' && fieldsType !== 'FieldsV1') {
    errors.push(invalidValue(child(place, 'fieldsType'), fieldsType, 'must be `FieldsV1`'));
  }
  return errors;
}

function newFinalizers(next: ObjectMeta, previous: ObjectMeta): FieldError[] {
  const added = (next.finalizers ?? []).filter((text) => !previous.finalizers?.includes(text));
  if (added.length === 0) return [];
  const list = `[]string{${added.map((text) => JSON.stringify(text)).join(', ')}}`;
  const detail = `no new finalizers can be added if the object is being deleted, found new finalizers ${list}`;
  return [forbiddenField(child(path, 'finalizers'), detail)];
}

function validateNamespace(namespace: string, namespaced: boolean): FieldError[] {
  const field = child(path, 'namespace');
  if (!namespaced) return namespace === '' ? [] : [forbiddenField(field, 'not allowed on this type')];
  return namespace === '' ? [required(field)] : check(field, namespace, dnsLabel);
}

function validateShared(metadata: ObjectMeta): FieldError[] {
  return [
    ...validateLabels(metadata.labels, child(path, 'labels')),
    ...validateAnnotations(metadata.annotations, child(path, 'annotations')),
    ...validateOwners(metadata.ownerReferences ?? [], child(path, 'ownerReferences')),
    ...validateFinalizers(metadata.finalizers ?? [], child(path, 'finalizers')),
    ...(metadata.managedFields ?? []).flatMap(validateManager),
  ];
}

/** Violations in a map of labels. */
export function validateLabels(labels: Record<string, string> | undefined, field: FieldPath): FieldError[] {
  return Object.entries(labels ?? {}).flatMap(([key, value]) => [
    ...check(field, key, qualifiedName),
    ...check(field, value, labelValueFormat),
  ]);
}

/** Violations in a map of annotations. */
export function validateAnnotations(
  annotations: Record<string, string> | undefined,
  field: FieldPath,
): FieldError[] {
  const entries = Object.entries(annotations ?? {});
  const bytes = entries.reduce(
    (sum, [key, value]) => sum + Buffer.byteLength(key) + Buffer.byteLength(value),
    0,
  );
  return [
    ...entries.flatMap(([key]) => check(field, key, (text) => qualifiedName(text.toLowerCase()))),
    ...(bytes > annotationsBytesMax ? [tooLong(field, annotationsBytesMax)] : []),
  ];
}

function validateOwners(owners: OwnerReference[], field: FieldPath): FieldError[] {
  const errors = owners.flatMap((owner) => validateOwner(owner, field));
  const [first, second] = owners.filter((owner) => owner.controller === true);
  if (first && second) {
    const names = [first, second].map((owner) => `${owner.kind}/${owner.name}`).join(' and ');
    const detail = `Only one reference can have Controller set to true. Found "true" in references for ${names}`;
    errors.push(invalidValue(field, owners as unknown as JsonValue, detail));
  }
  return errors;
}

function validateOwner(owner: OwnerReference, field: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  const { apiVersion = '' } = owner;
  if (!parseApiVersion(apiVersion)?.version) {
    errors.push(invalidValue(child(field, 'apiVersion'), apiVersion, 'version must not be empty'));
  }
  for (const key of ['kind', 'name', 'uid'] as const) {
    if (!owner[key]) errors.push(invalidValue(child(field, key), '', 'must not be empty'));
  }
  if (apiVersion === 'v1' && owner.kind === 'Event') {
    const detail = '/v1, Kind=Event is disallowed from being an owner';
    errors.push(invalidValue(field, owner as unknown as JsonValue, detail));
  }
  return errors;
}

/** `field is immutable` when the two differ. */
export function immutable(
  field: FieldPath,
  next: JsonValue | undefined,
  previous: JsonValue | undefined,
): FieldError[] {
  return jsonEqual(next, previous) ? [] : [invalidValue(field, next, 'field is immutable')];
}

/** `must be greater than or equal to 0`. */
export function nonNegative(field: FieldPath, value: number | undefined): FieldError[] {
  return (value ?? 0) >= 0 ? [] : [invalidValue(field, value, 'must be greater than or equal to 0')];
}

const takingValues: ReadonlySet<string> = new Set(['In', 'NotIn']);
const takingNone: ReadonlySet<string> = new Set(['Exists', 'DoesNotExist']);

/** Values that a selector's requirement lacks, or has and may not have. Of an operator that is none of the four nothing is said. */
export function validateRequirementValues(
  place: FieldPath,
  operator: string,
  values: readonly string[],
): FieldError[] {
  const field = child(place, 'values');
  if (takingValues.has(operator) && values.length === 0)
    return [required(field, "must be specified when `operator` is 'In' or 'NotIn'")];
  if (takingNone.has(operator) && values.length > 0)
    return [forbiddenField(field, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'")];
  return [];
}

/** Violations in a LabelSelector; `takesAnyValue` when one that is stored already has values that no label can have. */
export function validateSelector(
  selector: LabelSelector | undefined,
  field: FieldPath,
  takesAnyValue = false,
): FieldError[] {
  const errors = validateLabels(selector?.matchLabels, child(field, 'matchLabels'));
  for (const [index, { key, operator, values = [] }] of (selector?.matchExpressions ?? []).entries()) {
    const place = at(child(field, 'matchExpressions'), index);
    errors.push(...validateRequirementValues(place, operator, values));
    if (!takingValues.has(operator) && !takingNone.has(operator))
      errors.push(invalidValue(child(place, 'operator'), operator, 'not a valid selector operator'));
    errors.push(...check(child(place, 'key'), key, qualifiedName));
    if (takesAnyValue) continue;
    for (const [at_, value] of values.entries())
      errors.push(...check(at(child(place, 'values'), at_), value, labelValueFormat));
  }
  return errors;
}

/** True for a selector that would not be taken anew; older servers took more of them. */
export const isInvalidSelector = (selector: LabelSelector | undefined): boolean =>
  validateSelector(selector, '').length > 0;

/** `Duplicate value` for every repetition of a name in a list. */
export function uniqueNames(
  names: (string | undefined)[],
  fieldOf: (index: number) => FieldPath,
): FieldError[] {
  const seen = new Set<string>();
  return names.flatMap((name, index) => {
    if (!name) return [];
    const isRepeated = seen.has(name);
    seen.add(name);
    return isRepeated ? [duplicate(fieldOf(index), name)] : [];
  });
}

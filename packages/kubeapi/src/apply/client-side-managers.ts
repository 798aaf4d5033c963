/** Managed fields of client-side apply, handed over to server-side apply (client-go util/csaupgrade). */
import type { ManagedFieldsEntry } from '../generated/types.ts';
import { isJsonObject } from '../json/json-value.ts';
import { PathSet } from './path-set.ts';

const annotationPath = ['f:metadata', 'f:annotations', 'f:kubectl.kubernetes.io/last-applied-configuration'];

/** The managers who have written, or applied, the annotation in which client-side apply keeps what it was given. */
export function lastAppliedManagers(
  entries: readonly ManagedFieldsEntry[],
  operation: 'Apply' | 'Update',
): string[] {
  const owners = entries.filter((entry) => entry.operation === operation && hasAnnotation(entry));
  return [...new Set(owners.map(({ manager = '' }) => manager))];
}

/** The entries after what the managers `from` have written has become what `to` applies. The same ones where there is nothing of theirs. */
export function asServerSideApplied(
  entries: readonly ManagedFieldsEntry[],
  { from, to }: { from: readonly string[]; to: string },
): readonly ManagedFieldsEntry[] {
  return from.reduce((result, name) => handedOver(result, name, to), entries);
}

function handedOver(
  entries: readonly ManagedFieldsEntry[],
  from: string,
  to: string,
): readonly ManagedFieldsEntry[] {
  const isFrom = (entry: ManagedFieldsEntry) => isOf(entry, from, 'Update');
  // The last writer stands first.
  const target = entries.find((entry) => isOf(entry, to, 'Apply')) ?? entries.find(isFrom);
  if (!target || !entries.some(isFrom)) return entries;
  // Fields of another version have other names; they are given up.
  const source = entries.find((entry) => isFrom(entry) && entry.apiVersion === target.apiVersion);
  const fieldsV1 = setOf(target)
    .union(source ? setOf(source) : new PathSet())
    .toFields();
  const applied = { ...target, manager: to, operation: 'Apply', fieldsV1 };
  return entries.flatMap((entry) => {
    if (entry === target) return [applied];
    return isFrom(entry) ? [] : [entry];
  });
}

const isOf = (entry: ManagedFieldsEntry, manager: string, operation: string): boolean =>
  entry.manager === manager && entry.operation === operation && (entry.subresource ?? '') === '';

const setOf = ({ fieldsV1 }: ManagedFieldsEntry): PathSet =>
  isJsonObject(fieldsV1) ? PathSet.fromFields(fieldsV1) : new PathSet();

function hasAnnotation(entry: ManagedFieldsEntry): boolean {
  const path = new PathSet();
  path.insert(annotationPath);
  return path.difference(setOf(entry)).isEmpty;
}

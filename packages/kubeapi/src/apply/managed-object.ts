/** `metadata.managedFields` of whole objects. */
import type { ManagedFieldsEntry } from '../generated/types.ts';
import { isJsonObject, type JsonObject } from '../json/json-value.ts';
import { type ManagedSets, writeManagedFields } from './managers.ts';

/** The entries of an object; undefined when it says none. */
export function entriesOf(object: JsonObject | undefined): ManagedFieldsEntry[] | undefined {
  const metadata = object?.['metadata'];
  const entries = isJsonObject(metadata) ? metadata['managedFields'] : undefined;
  return Array.isArray(entries) ? (entries as ManagedFieldsEntry[]) : undefined;
}

/** The object as it is compared: who owns what is no part of it. */
export function withoutManagedFields(object: JsonObject): JsonObject {
  const { metadata } = object;
  if (!isJsonObject(metadata) || metadata['managedFields'] === undefined) return object;
  const { managedFields: _, ...rest } = metadata;
  return { ...object, metadata: rest };
}

/** The object with the entries of these managers. */
export function withManagedFields(object: JsonObject, sets: ManagedSets): JsonObject {
  const metadata = isJsonObject(object['metadata']) ? object['metadata'] : {};
  const managedFields = writeManagedFields(sets) as unknown as JsonObject[];
  return { ...object, metadata: { ...metadata, ...(managedFields.length > 0 ? { managedFields } : {}) } };
}

/** Who manages which fields: `metadata.managedFields` as sets, and back. */
import type { ManagedFieldsEntry } from '../generated/types.ts';
import { isJsonObject, type JsonObject } from '../json/json-value.ts';
import { PathSet } from './path-set.ts';

/** Who makes a change. */
export interface Manager {
  /** The client's `fieldManager`. */
  name: string;
  operation: 'Apply' | 'Update';
  /** `v1`, `apps/v1`, … */
  apiVersion: string;
  /** Empty for the object itself. */
  subresource: string;
}

/** One manager and its fields. */
export interface ManagedSet {
  manager: Manager;
  /** When it last changed something; an API `Time`. */
  time: string | undefined;
  set: PathSet;
}

/** Managers by their identity. */
export type ManagedSets = Map<string, ManagedSet>;

/** What makes two entries the same: an applier is one over all versions, an updater is not. */
export function identityOf({ name, operation, apiVersion, subresource }: Manager): string {
  return JSON.stringify([operation, name, operation === 'Update' ? apiVersion : '', subresource]);
}

/** Reads the entries; ones of an unknown format are left out. */
export function readManagedFields(entries: readonly ManagedFieldsEntry[] | undefined): ManagedSets {
  const sets: ManagedSets = new Map();
  for (const entry of entries ?? []) {
    const { operation, fieldsV1 } = entry;
    if ((operation !== 'Apply' && operation !== 'Update') || !isJsonObject(fieldsV1)) continue;
    const manager: Manager = {
      name: entry.manager ?? '',
      operation,
      apiVersion: entry.apiVersion ?? '',
      subresource: entry.subresource ?? '',
    };
    sets.set(identityOf(manager), { manager, time: entry.time, set: PathSet.fromFields(fieldsV1) });
  }
  return sets;
}

/** Writes the entries in upstream's order: appliers first, then by time and name. */
export function writeManagedFields(sets: ManagedSets): ManagedFieldsEntry[] {
  return [...sets.values()]
    .filter(({ set }) => !set.isEmpty)
    .sort(inOrder)
    .map(toEntry);
}

function inOrder(left: ManagedSet, right: ManagedSet): number {
  const key = ({ manager, time }: ManagedSet) => [
    ...[manager.operation, time ?? '', manager.name, manager.apiVersion, manager.subresource],
  ];
  const [a, b] = [key(left), key(right)];
  const at = a.findIndex((part, index) => part !== b[index]);
  return at < 0 ? 0 : a[at]! < b[at]! ? -1 : 1;
}

function toEntry({ manager, time, set }: ManagedSet): ManagedFieldsEntry {
  const fieldsV1: JsonObject = set.toFields();
  return {
    manager: manager.name,
    operation: manager.operation,
    apiVersion: manager.apiVersion,
    ...(time === undefined ? {} : { time }),
    fieldsType: 'FieldsV1',
    fieldsV1,
    ...(manager.subresource === '' ? {} : { subresource: manager.subresource }),
  };
}

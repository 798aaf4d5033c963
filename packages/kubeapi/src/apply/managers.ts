/** Who manages which fields: `metadata.managedFields` as sets, and back. */
import type { ManagedFieldsEntry } from '../generated/types.ts';
import { isJsonObject, type JsonObject, type JsonValue, ownValue } from '../json/json-value.ts';
import { knownChild, type Node, settled } from './node.ts';
import { isTree, PathSet } from './path-set.ts';

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

/**
 * One manager and its fields. Most writes leave most managers what they have: what nobody changes is neither read nor
 * written anew.
 */
export class ManagedSet {
  readonly manager: Manager;
  /** When it last changed something; an API `Time`. */
  time: string | undefined;
  #set: PathSet | undefined;
  /** The same as the object has it, until it changes. */
  #fields: JsonObject | undefined;

  constructor(manager: Manager, time: string | undefined, fields: PathSet | JsonObject) {
    this.manager = manager;
    this.time = time;
    if (fields instanceof PathSet) this.#set = fields;
    else this.#fields = fields;
  }

  get set(): PathSet {
    this.#set ??= PathSet.fromFields(this.#fields!);
    return this.#set;
  }

  set set(next: PathSet) {
    if (next === this.#set) return;
    this.#set = next;
    this.#fields = undefined;
  }

  get isEmpty(): boolean {
    return this.#fields ? Object.keys(this.#fields).length === 0 : this.set.isEmpty;
  }

  /** Takes fields from the manager. */
  take(paths: PathSet): void {
    if (paths.isEmpty || (this.#fields && !hasAny(this.#fields, paths))) return;
    this.set = this.set.difference(paths);
  }

  /** Gives fields to the manager. */
  give(paths: PathSet): void {
    if (this.#fields && hasAll(this.#fields, paths)) return;
    this.set = this.set.union(paths);
  }

  /** Puts fields together that have become one, as the schema is now. */
  settle(node: Node): void {
    if (this.#fields && !hasPartsOfWholes(this.#fields, node)) return;
    this.set = settled(this.set, node);
  }

  /** As `fieldsV1`. */
  toFields(): JsonObject {
    this.#fields ??= this.set.toFields();
    return this.#fields;
  }
}

/** Of most objects this is looked for with every write, and there are none. */
function hasPartsOfWholes(fields: JsonObject, node: Node): boolean {
  for (const [element, below] of Object.entries(fields)) {
    if (element === '.' || !isJsonObject(below) || Object.keys(below).length === 0) continue;
    const child = knownChild(node, element);
    if (child && (child.kind === 'leaf' || hasPartsOfWholes(below, child))) return true;
  }
  return false;
}

function hasAny(fields: JsonObject, { members, children }: PathSet): boolean {
  for (const element of members) if (isMember(ownValue(fields, element))) return true;
  for (const [element, child] of children) {
    const below = ownValue(fields, element);
    if (isJsonObject(below) && hasAny(below, child)) return true;
  }
  return false;
}

function hasAll(fields: JsonObject, { members, children }: PathSet): boolean {
  for (const element of members) if (!isMember(ownValue(fields, element))) return false;
  for (const [element, child] of children) {
    const below = ownValue(fields, element);
    if (!isJsonObject(below) || !hasAll(below, child)) return false;
  }
  return true;
}

const isMember = (value: JsonValue | undefined) =>
  isJsonObject(value) && (Object.keys(value).length === 0 || Object.hasOwn(value, '.'));

/** Managers by their identity. */
export type ManagedSets = Map<string, ManagedSet>;

/** What makes two entries the same: an applier is one over all versions, an updater is not. */
export function identityOf({ name, operation, apiVersion, subresource }: Manager): string {
  return JSON.stringify([operation, name, operation === 'Update' ? apiVersion : '', subresource]);
}

/** Reads the entries as they were stored; ones of an unknown format are left out. */
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
    sets.set(identityOf(manager), new ManagedSet(manager, entry.time, fieldsV1));
  }
  return sets;
}

/** Reads the entries as a client tells them; undefined where one of them can't be read. One without fields is one, too. */
export function readToldFields(entries: readonly ManagedFieldsEntry[]): ManagedSets | undefined {
  const told = entries.map((entry) => ({ ...entry, fieldsV1: entry.fieldsV1 ?? {} }));
  if (!told.every((entry) => isWellFormed(entry) && isTree(entry.fieldsV1))) return undefined;
  const sets = readManagedFields(told);
  for (const entry of sets.values()) entry.set = PathSet.fromFields(entry.toFields());
  return sets;
}

const isWellFormed = ({ operation, apiVersion, fieldsType }: ManagedFieldsEntry): boolean =>
  (operation === 'Apply' || operation === 'Update') && !!apiVersion && fieldsType === 'FieldsV1';

/** Writes the entries in upstream's order: appliers first, then by time and name. */
export function writeManagedFields(sets: ManagedSets): ManagedFieldsEntry[] {
  return [...sets.values()]
    .filter(({ isEmpty }) => !isEmpty)
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

function toEntry(entry: ManagedSet): ManagedFieldsEntry {
  const { manager, time } = entry;
  return {
    manager: manager.name,
    operation: manager.operation,
    apiVersion: manager.apiVersion,
    ...(time === undefined ? {} : { time }),
    fieldsType: 'FieldsV1',
    fieldsV1: entry.toFields(),
    ...(manager.subresource === '' ? {} : { subresource: manager.subresource }),
  };
}

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

/**
 * Server-side apply and the tracking of fields on other writes (apimachinery pkg/util/managedfields, merge.Updater).
 * All functions are pure; the object's form is the schema's.
 */
import type { ManagedFieldsEntry, StatusCause } from '../generated/types.ts';
import { isJsonObject, type JsonObject, jsonEqual } from '../json-value.ts';
import type { MessageSchema } from '../schema.ts';
import { applyConflict, badRequest } from '../status-errors.ts';
import {
  identityOf,
  type ManagedSet,
  type ManagedSets,
  type Manager,
  readManagedFields,
  writeManagedFields,
} from './managers.ts';
import type { Node } from './node.ts';
import { formatPath, PathSet } from './path-set.ts';
import { compare, fieldSetOf, mergeValues, removePaths, withNamedFields } from './walk.ts';

/** Options of both functions. */
export interface TrackOptions {
  schema: MessageSchema;
  /** `operation` says nothing here: it follows from the function. */
  manager: Omit<Manager, 'operation'>;
  /** The present moment, as an API `Time`. */
  now: string;
  /** Paths (`['status']`) that this endpoint does not write and so does not track. */
  ignoredFields?: readonly (readonly string[])[];
}

/** Options of {@link applyConfiguration}. */
export interface ApplyOptions extends TrackOptions {
  /** The stored object; undefined when there is none yet. */
  live: JsonObject | undefined;
  /** What the client applies, as it came: only what it says is owned. */
  config: JsonObject;
  /** Takes fields over from other managers instead of failing. */
  force: boolean;
}

/** The object to store: merged, with managed fields; it still has to be conformed and defaulted. */
export interface Applied {
  object: JsonObject;
  /** False when neither the object nor its managed fields changed: then nothing needs to be stored. */
  isChanged: boolean;
}

const beforeFirstApply = 'before-first-apply';

/** Never owned: what names the object and what the system writes. */
const unowned = setOfPaths([
  ...[['apiVersion'], ['kind'], ['metadata'], ['metadata', 'name'], ['metadata', 'namespace']],
  ...[
    ['metadata', 'creationTimestamp'],
    ['metadata', 'selfLink'],
    ['metadata', 'uid'],
    ['metadata', 'generation'],
  ],
  ...[
    ['metadata', 'managedFields'],
    ['metadata', 'resourceVersion'],
  ],
]);

function setOfPaths(paths: readonly (readonly string[])[]): PathSet {
  const set = new PathSet();
  for (const path of paths) set.insert(path.map((name) => `f:${name}`));
  return set;
}

/**
 * Merges a configuration into the stored object. Fields that this manager applied before and no longer does, and that
 * nobody else owns, are removed. Throws a 409 StatusError that names each field that another manager owns and the
 * configuration would change, unless forced.
 */
export function applyConfiguration(options: ApplyOptions): Applied {
  const { config, schema, force, now } = options;
  const node: Node = { kind: 'struct', schema };
  if (isJsonObject(config['metadata']) && config['metadata']['managedFields'] !== undefined) {
    throw badRequest('metadata.managedFields must be nil');
  }
  const live = withoutManagedFields(options.live ?? {});
  const manager: Manager = { ...options.manager, operation: 'Apply' };
  const identity = identityOf(manager);
  const sets = managersBefore(options, live, node);
  const last = sets.get(identity);
  const set = fieldSetOf(config, node).without(setOfPaths(options.ignoredFields ?? []));
  sets.set(identity, { manager, time: last?.time, set });
  const merged = mergeValues(live, config, node) as JsonObject;
  const object = last ? prune(merged, last.set, sets, node) : merged;
  takeOver(sets, identity, compare(live, object, node), force);
  strip(sets, identity);
  const isChanged =
    options.live === undefined || !jsonEqual(live, object) || !sameSet(last, sets.get(identity));
  if (isChanged) touch(sets, identity, now);
  return { object: withManagedFields(object, sets), isChanged };
}

/** Options of {@link trackUpdate}. */
export interface UpdateOptions extends TrackOptions {
  /** The stored object; undefined when it is being created. */
  live: JsonObject | undefined;
  /** The object about to be stored. */
  next: JsonObject;
}

/**
 * The managed fields of an object after a create, update or patch: what changed now belongs to the manager. Objects
 * that were never applied are not tracked, as nobody needs to know; undefined then.
 */
export function trackUpdate(options: UpdateOptions): ManagedFieldsEntry[] | undefined {
  const node: Node = { kind: 'struct', schema: options.schema };
  const sets = readManagedFields(entriesOf(options.next) ?? entriesOf(options.live));
  if (sets.size === 0) return undefined;
  const manager: Manager = { ...options.manager, operation: 'Update' };
  recordChanges(sets, manager, withoutManagedFields(options.live ?? {}), options.next, node, options);
  return writeManagedFields(sets);
}

const updatersMax = 10;

function recordChanges(
  sets: ManagedSets,
  manager: Manager,
  live: JsonObject,
  next: JsonObject,
  node: Node,
  { now, ignoredFields = [] }: TrackOptions,
): void {
  const ignored = setOfPaths(ignoredFields);
  const { removed, modified, added } = compare(live, withoutManagedFields(next), node);
  const changed = modified.union(added).without(ignored);
  const gone = removed.without(ignored);
  for (const entry of sets.values()) entry.set = entry.set.difference(changed).difference(gone);
  const identity = identityOf(manager);
  const own = changed.difference(unowned);
  const present = sets.get(identity);
  if (!own.isEmpty) {
    sets.set(identity, { manager, time: now, set: present ? present.set.union(own) : own });
  }
  dropEmpty(sets);
  capUpdaters(sets);
}

/** Keeps the number of updaters small: the oldest become one. */
function capUpdaters(sets: ManagedSets): void {
  const updaters = [...sets.entries()].filter(([, { manager }]) => manager.operation === 'Update');
  if (updaters.length <= updatersMax) return;
  updaters.sort(([, left], [, right]) => ((left.time ?? '') < (right.time ?? '') ? -1 : 1));
  const oldest = updaters.slice(0, updaters.length - updatersMax + 1);
  const [, { manager, time }] = oldest.at(-1)!;
  for (const [identity] of oldest) sets.delete(identity);
  const ancient: Manager = { ...manager, name: 'ancient-changes', subresource: '' };
  const set = oldest.map(([, entry]) => entry.set).reduce((sum, next) => sum.union(next));
  sets.set(identityOf(ancient), { manager: ancient, time, set });
}

/** The managers so far; everything in an object without any belongs to whoever wrote before the first apply. */
function managersBefore(options: ApplyOptions, live: JsonObject, node: Node): ManagedSets {
  const sets = readManagedFields(entriesOf(options.live));
  if (sets.size === 0 && options.live !== undefined) {
    const manager: Manager = {
      ...options.manager,
      name: beforeFirstApply,
      operation: 'Update',
      subresource: '',
    };
    recordChanges(sets, manager, {}, live, node, options);
  }
  return sets;
}

function prune(merged: JsonObject, last: PathSet, sets: ManagedSets, node: Node): JsonObject {
  const remove = (set: PathSet) => (removePaths(merged, node, set) ?? {}) as JsonObject;
  const named = (set: PathSet) => withNamedFields(set, node);
  const lastNamed = named(last);
  const owned = [...sets.values()].map(({ set }) => set).reduce((sum, set) => sum.union(set), new PathSet());
  const mergedSet = named(fieldSetOf(merged, node));
  const withoutLast = named(fieldSetOf(remove(lastNamed), node));
  const withOwned = remove(mergedSet.difference(withoutLast.union(named(owned))));
  const prunedSet = named(fieldSetOf(withOwned, node));
  return remove(mergedSet.difference(prunedSet).intersection(lastNamed));
}

/** Takes changed fields from their owners, or fails with the list of them. */
function takeOver(
  sets: ManagedSets,
  identity: string,
  { removed, modified, added }: ReturnType<typeof compare>,
  force: boolean,
): void {
  const changed = modified.union(added);
  const others = [...sets.entries()].filter(([key]) => key !== identity).map(([, entry]) => entry);
  const conflicts = others
    .map((entry) => ({ entry, set: entry.set.intersection(changed) }))
    .filter(({ set }) => !set.isEmpty);
  if (conflicts.length > 0 && !force) throw conflictError(conflicts);
  for (const { entry, set } of conflicts) entry.set = entry.set.difference(set);
  for (const entry of others) entry.set = entry.set.difference(removed);
  dropEmpty(sets);
}

function conflictError(conflicts: { entry: ManagedSet; set: PathSet }[]): Error {
  const titled = conflicts.map(({ entry, set }) => ({
    title: describeManager(entry),
    fields: [...set.paths()].map(formatPath),
  }));
  titled.sort((left, right) => (left.title < right.title ? -1 : 1));
  const causes: StatusCause[] = titled.flatMap(({ title, fields }) =>
    fields.map((field) => ({ reason: 'FieldManagerConflict', message: `conflict with ${title}`, field })),
  );
  const [first] = titled;
  if (causes.length === 1) {
    const message = `Apply failed with 1 conflict: conflict with ${first!.title}: ${first!.fields[0]}`;
    return applyConflict(causes, message);
  }
  const lines = titled.flatMap(({ title, fields }) => [
    `conflicts with ${title}:`,
    ...fields.map((field) => `- ${field}`),
  ]);
  return applyConflict(causes, `Apply failed with ${causes.length} conflicts: ${lines.join('\n')}`);
}

function describeManager({ manager }: ManagedSet): string {
  const { name, operation, apiVersion, subresource } = manager;
  const place = subresource === '' ? '' : ` with subresource ${JSON.stringify(subresource)}`;
  return `${JSON.stringify(name)}${place}${operation === 'Update' ? ` using ${apiVersion}` : ''}`;
}

function strip(sets: ManagedSets, identity: string): void {
  const entry = sets.get(identity);
  if (entry) entry.set = entry.set.difference(unowned);
  dropEmpty(sets);
}

function dropEmpty(sets: ManagedSets): void {
  for (const [identity, { set }] of sets) if (set.isEmpty) sets.delete(identity);
}

function touch(sets: ManagedSets, identity: string, now: string): void {
  const entry = sets.get(identity);
  if (entry) entry.time = now;
}

function sameSet(left: ManagedSet | undefined, right: ManagedSet | undefined): boolean {
  return jsonEqual(left?.set.toFields(), right?.set.toFields());
}

function entriesOf(object: JsonObject | undefined): ManagedFieldsEntry[] | undefined {
  const metadata = object?.['metadata'];
  const entries = isJsonObject(metadata) ? metadata['managedFields'] : undefined;
  return Array.isArray(entries) && entries.length > 0 ? (entries as ManagedFieldsEntry[]) : undefined;
}

function withoutManagedFields(object: JsonObject): JsonObject {
  const { metadata } = object;
  if (!isJsonObject(metadata) || metadata['managedFields'] === undefined) return object;
  const { managedFields: _, ...rest } = metadata;
  return { ...object, metadata: rest };
}

function withManagedFields(object: JsonObject, sets: ManagedSets): JsonObject {
  const metadata = isJsonObject(object['metadata']) ? object['metadata'] : {};
  const managedFields = writeManagedFields(sets) as unknown as JsonObject[];
  return { ...object, metadata: { ...metadata, ...(managedFields.length > 0 ? { managedFields } : {}) } };
}

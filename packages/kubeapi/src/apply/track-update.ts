/** The tracking of fields on writes other than apply. */
import type { ManagedFieldsEntry } from '../generated/types.ts';
import { type JsonObject, type JsonValue, jsonEqual } from '../json/json-value.ts';
import {
  entriesOf,
  identityOf,
  ManagedSet,
  type ManagedSets,
  type Manager,
  readManagedFields,
  readToldFields,
  withoutManagedFields,
  writeManagedFields,
} from './managers.ts';
import type { Node } from './node.ts';
import { PathSet } from './path-set.ts';
import { changesOf, type ManagedVersions } from './versions.ts';

/** Options of every write that is tracked. */
export interface TrackOptions {
  /** How the kind's objects can be owned in parts. */
  node: Node;
  /** `operation` says nothing here: it follows from the function. */
  manager: Omit<Manager, 'operation'>;
  /** The present moment, as an API `Time`. */
  now: string;
  /** Paths (`['status']`) that this endpoint does not write and so does not track. */
  ignoredFields?: readonly (readonly string[])[];
  /** What a new object is compared with, `blankObject` where its writers are Go programs' peers. Default: nothing at all. */
  blank?: JsonObject;
  /** Absent: all versions of the kind have the same fields. */
  versions?: ManagedVersions | undefined;
}

/** Never owned: what names the object and what the system writes. */
export const unowned = setOfPaths([
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

/** A set of paths of named fields. */
export function setOfPaths(paths: readonly (readonly string[])[]): PathSet {
  const set = new PathSet();
  for (const path of paths) set.insert(path.map((name) => `f:${name}`));
  return set;
}

/** Options of {@link trackUpdate}. */
export interface UpdateOptions extends TrackOptions {
  /** The stored object; undefined when it is being created. */
  live: JsonObject | undefined;
  /** The object about to be stored. */
  next: JsonObject;
}

/**
 * The managed fields of an object after a create, update or patch: what changed now belongs to the manager. Undefined for
 * objects without any that are there already (they are older than their tracking): the next apply begins it.
 */
export function trackUpdate(options: UpdateOptions): ManagedFieldsEntry[] | undefined {
  const { live, next } = options;
  const told = options.manager.subresource === '' ? entriesOf(next) : undefined;
  if (told && isReset(told)) return undefined;
  const stored = entriesOf(live);
  const isTold = told && !jsonEqual(as(told), stored && as(stored));
  // What is no list of managers is forgotten as a whole.
  const given = isTold ? readToldFields(told) : undefined;
  const sets = given && given.size > 0 ? given : readManagedFields(stored);
  if (sets.size === 0 && live !== undefined) return undefined;
  const manager: Manager = { ...options.manager, operation: 'Update' };
  const before = withoutManagedFields(live ?? options.blank ?? {});
  recordChanges(sets, manager, before, next, options);
  return writeManagedFields(sets);
}

const as = (entries: ManagedFieldsEntry[]) => entries as unknown as JsonValue;

/** A client asks for all that is known to be forgotten by no entry, or by an empty one. */
function isReset(entries: readonly ManagedFieldsEntry[]): boolean {
  const [only = {}, ...more] = entries;
  return more.length === 0 && Object.keys(only).length === 0;
}

const updatersMax = 10;

/** Gives what changed to the manager and takes it from everybody else, in place. */
export function recordChanges(
  sets: ManagedSets,
  manager: Manager,
  live: JsonObject,
  next: JsonObject,
  options: TrackOptions,
): void {
  const { now, ignoredFields = [] } = options;
  const changesIn = changesOf(live, withoutManagedFields(next), options, setOfPaths(ignoredFields));
  const identity = identityOf(manager);
  const own = changesIn(manager.apiVersion)!.changed.difference(unowned);
  for (const [key, entry] of sets) {
    const changes = changesIn(entry.manager.apiVersion);
    if (!changes) {
      sets.delete(key);
      continue;
    }
    entry.settle(changes.node);
    // What the writer is given below need not be taken from it first.
    entry.take(key === identity ? changes.changed.difference(own) : changes.changed);
    entry.take(changes.removed);
  }
  if (!own.isEmpty) {
    const present = sets.get(identity) ?? new ManagedSet(manager, now, own);
    present.give(own);
    present.time = now;
    sets.set(identity, present);
  }
  dropEmpty(sets);
  capUpdaters(sets);
}

/** Keeps the number of updaters small: of each version the oldest become one. */
function capUpdaters(sets: ManagedSets): void {
  const updaters = [...sets.entries()].filter(([, { manager }]) => manager.operation === 'Update');
  if (updaters.length <= updatersMax) return;
  updaters.sort(([, left], [, right]) => (ageOf(left) < ageOf(right) ? -1 : 1));
  const firstOf = new Map<string, string>();
  let count = updaters.length;
  for (const [identity, { manager, time }] of updaters) {
    if (count <= updatersMax) return;
    const first = firstOf.get(manager.apiVersion);
    firstOf.set(manager.apiVersion, first ?? identity);
    if (first === undefined) continue;
    const ancient: Manager = { ...manager, name: 'ancient-changes', subresource: '' };
    const oldest = sets.get(identityOf(ancient)) ?? sets.get(first)!;
    const set = oldest.set.union(sets.get(identity)!.set);
    if (oldest === sets.get(first)) sets.delete(first);
    sets.delete(identity);
    sets.set(identityOf(ancient), new ManagedSet(ancient, time, set));
    count -= 1;
  }
}

const ageOf = ({ manager: { name, apiVersion, subresource }, time = '' }: ManagedSet): string =>
  [time, name, apiVersion, subresource].join('\n');

/** Managers without fields are no managers. */
export function dropEmpty(sets: ManagedSets): void {
  for (const [identity, { isEmpty }] of sets) if (isEmpty) sets.delete(identity);
}

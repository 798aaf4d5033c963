/**
 * Server-side apply (apimachinery pkg/util/managedfields, merge.Updater).
 * Pure; the object's form is the schema's.
 */
import { isJsonObject, type JsonObject, jsonEqual } from '../json/json-value.ts';
import { badRequest } from '../status/status-errors.ts';
import { conflictError } from './conflict.ts';
import { takenOver, withLastApplied } from './last-applied.ts';
import {
  entriesOf,
  identityOf,
  ManagedSet,
  type ManagedSets,
  type Manager,
  readManagedFields,
  withManagedFields,
  withoutManagedFields,
} from './managers.ts';
import type { PathSet } from './path-set.ts';
import { prune } from './prune.ts';
import { dropEmpty, recordChanges, setOfPaths, type TrackOptions, unowned } from './track-update.ts';
import { type Changes, changesOf } from './versions.ts';
import { fieldSetOf, mergeValues } from './walk.ts';

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

/**
 * Merges a configuration into the stored object. Fields that this manager applied before and no longer does, and that
 * nobody else owns, are removed. Throws a 409 StatusError that names each field that another manager owns and the
 * configuration would change, unless forced. Items that stand twice in the configuration are to be refused before
 * (`unfitItems`).
 */
export function applyConfiguration(options: ApplyOptions): Applied {
  const { config, node, force, now } = options;
  const { managedFields = null } = isJsonObject(config['metadata']) ? config['metadata'] : {};
  if (managedFields !== null) throw badRequest('metadata.managedFields must be nil');
  const live = withoutManagedFields(options.live ?? {});
  const manager: Manager = { ...options.manager, operation: 'Apply' };
  const identity = identityOf(manager);
  const sets = managersBefore(options, live);
  const last = sets.get(identity);
  const ignored = setOfPaths(options.ignoredFields ?? []);
  const set = fieldSetOf(config, node).without(ignored);
  sets.set(identity, new ManagedSet(manager, last?.time, set));
  const merged = mergeValues(live, config, node) as JsonObject;
  const object = last ? prune(merged, last, sets, options) : merged;
  const allowed = takenOver(live, manager, node);
  takeOver(sets, identity, changesOf(live, object, options, ignored), { force, allowed });
  strip(sets, identity);
  // Who takes part in what is there without changing it has changed nothing at any time, as upstream.
  const isOther = options.live === undefined || !jsonEqual(live, object);
  if (isOther) touch(sets, identity, now);
  const isChanged = isOther || !sameSet(last, sets.get(identity));
  const told = withLastApplied(object, config, manager.name);
  return { object: withManagedFields(told, sets), isChanged };
}

/** The managers so far; everything in an object without any belongs to whoever wrote before the first apply. */
function managersBefore(options: ApplyOptions, live: JsonObject): ManagedSets {
  const sets = readManagedFields(entriesOf(options.live));
  if (sets.size === 0 && options.live !== undefined) {
    const manager: Manager = { ...options.manager, name: beforeFirstApply, operation: 'Update' };
    recordChanges(sets, manager, options.blank ?? {}, live, options);
  }
  return sets;
}

/** Takes changed fields from their owners, or fails with the list of them. */
function takeOver(
  sets: ManagedSets,
  identity: string,
  changesIn: (apiVersion: string) => Changes | undefined,
  { force, allowed }: { force: boolean; allowed: PathSet },
): void {
  const others = [...sets.entries()].flatMap(([key, entry]) => {
    if (key === identity) return [];
    const changes = changesIn(entry.manager.apiVersion);
    if (!changes) sets.delete(key);
    else entry.settle(changes.node);
    return changes ? [{ entry, ...changes }] : [];
  });
  const conflicts = others
    .map(({ entry, changed }) => ({ entry, set: entry.set.intersection(changed) }))
    .filter(({ set }) => !set.isEmpty);
  const refused = conflicts
    .map(({ entry, set }) => ({ entry, set: set.difference(allowed) }))
    .filter(({ set }) => !set.isEmpty);
  if (refused.length > 0 && !force) throw conflictError(refused);
  for (const { entry, set } of conflicts) entry.set = entry.set.difference(set);
  for (const { entry, removed } of others) entry.set = entry.set.difference(removed);
  dropEmpty(sets);
}

function strip(sets: ManagedSets, identity: string): void {
  const entry = sets.get(identity);
  if (entry) entry.set = entry.set.difference(unowned);
  dropEmpty(sets);
}

function touch(sets: ManagedSets, identity: string, now: string): void {
  const entry = sets.get(identity);
  if (entry) entry.time = now;
}

function sameSet(left: ManagedSet | undefined, right: ManagedSet | undefined): boolean {
  return jsonEqual(left?.set.toFields(), right?.set.toFields());
}

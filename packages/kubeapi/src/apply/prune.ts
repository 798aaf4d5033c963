/** What server-side apply takes out: fields that a manager applied before, and nobody owns now. */
import type { JsonObject } from '../json/json-value.ts';
import type { ManagedSet, ManagedSets } from './managers.ts';
import { settled } from './node.ts';
import { PathSet } from './path-set.ts';
import { asWritten, inVersionOf, type VersionedObject, type WriteVersion } from './versions.ts';
import { fieldSetOf, removePaths, withNamedFields } from './walk.ts';

/** The merged object without what only `last`, the manager's set of before, has had. */
export function prune(
  merged: JsonObject,
  last: ManagedSet,
  sets: ManagedSets,
  write: WriteVersion,
): JsonObject {
  const start = inVersionOf(last.manager.apiVersion, asWritten(merged, write), write);
  if (!start) return merged;
  const lastNamed = withNamedFields(settled(last.set, start.node), start.node);
  let kept: VersionedObject = { ...start, object: remove(start, lastNamed) };
  for (const [apiVersion, owned] of ownedByVersion(sets, last, write)) {
    const [whole, left] = [inVersionOf(apiVersion, start, write), inVersionOf(apiVersion, kept, write)];
    if (!whole || !left) continue;
    const ownedNamed = withNamedFields(settled(owned, whole.node), whole.node);
    const gone = namedSet(whole).difference(namedSet(left).union(ownedNamed));
    kept = { ...whole, object: remove(whole, gone) };
  }
  const left = inVersionOf(start.apiVersion, kept, write) ?? start;
  const gone = namedSet(start).difference(namedSet(left)).intersection(lastNamed);
  const pruned = { ...start, object: remove(start, gone) };
  return inVersionOf(write.manager.apiVersion, pruned, write)?.object ?? merged;
}

/** All that anybody owns, by the version that it is told in; that of `last` comes first. */
function ownedByVersion(
  sets: ManagedSets,
  { manager }: ManagedSet,
  { versions }: WriteVersion,
): ReadonlyMap<string, PathSet> {
  const owned = new Map([[manager.apiVersion, new PathSet()]]);
  for (const { manager: owner, set } of sets.values()) {
    const version = versions ? owner.apiVersion : manager.apiVersion;
    owned.set(version, (owned.get(version) ?? new PathSet()).union(set));
  }
  return owned;
}

const remove = ({ object, node }: VersionedObject, set: PathSet) =>
  (removePaths(object, node, set) ?? {}) as JsonObject;

const namedSet = ({ object, node }: VersionedObject) => withNamedFields(fieldSetOf(object, node), node);

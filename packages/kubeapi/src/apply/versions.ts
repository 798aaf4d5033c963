/** Objects as the versions see them that their managers have written by. */
import type { JsonObject } from '../json/json-value.ts';
import { compare } from './compare.ts';
import type { Manager } from './managers.ts';
import type { Node } from './node.ts';
import { PathSet } from './path-set.ts';

/** The versions of a kind whose fields differ. */
export interface ManagedVersions {
  /** The object in another version; undefined where the kind has none of that name. */
  convert(object: JsonObject, from: string, to: string): JsonObject | undefined;
  /** How objects of a version that there is can be owned in parts. */
  nodeOf(apiVersion: string): Node;
}

/** In which version a write is made, and which others there are. */
export interface WriteVersion {
  /** How the kind's objects can be owned in parts, in the version of the write. */
  node: Node;
  manager: Pick<Manager, 'apiVersion'>;
  /** Absent: all versions have the same fields. */
  versions?: ManagedVersions | undefined;
}

/** An object in one version, and how it can be owned in parts there. */
export interface VersionedObject {
  apiVersion: string;
  object: JsonObject;
  node: Node;
}

/** The object in another version; undefined where there is no such version. */
export function inVersionOf(
  apiVersion: string,
  from: VersionedObject,
  { versions }: WriteVersion,
): VersionedObject | undefined {
  if (!versions || apiVersion === from.apiVersion) return from;
  const object = versions.convert(from.object, from.apiVersion, apiVersion);
  return object && { apiVersion, object, node: versions.nodeOf(apiVersion) };
}

/** An object in the version of the write. */
export function asWritten(object: JsonObject, { node, manager }: WriteVersion): VersionedObject {
  return { apiVersion: manager.apiVersion, object, node };
}

/** What a write has changed or added, and what it has removed. */
export interface Changes {
  changed: PathSet;
  removed: PathSet;
  /** How objects can be owned in parts in that version. */
  node: Node;
}

/** What a write changes as each version sees it, but for what is ignored; undefined for versions that there are not. */
export function changesOf(
  live: JsonObject,
  next: JsonObject,
  write: WriteVersion,
  ignored = new PathSet(),
): (apiVersion: string) => Changes | undefined {
  const known = new Map<string, Changes | undefined>();
  return (apiVersion) => {
    const version = write.versions ? apiVersion : write.manager.apiVersion;
    if (!known.has(version)) {
      const before = inVersionOf(version, asWritten(live, write), write);
      const after = inVersionOf(version, asWritten(next, write), write);
      known.set(version, before && after && changesBetween(before, after, ignored));
    }
    return known.get(version);
  };
}

function changesBetween(before: VersionedObject, after: VersionedObject, ignored: PathSet): Changes {
  const { removed, modified, added } = compare(before.object, after.object, after.node);
  const changed = modified.union(added).without(ignored);
  return { changed, removed: removed.without(ignored), node: after.node };
}

/** What the tracking of managed fields asks of kinds whose versions have other fields. */
import type { ManagedVersions } from '../apply/versions.ts';
import type { GroupVersionKind } from '../generated/types.ts';
import type { JsonObject } from '../json/json-value.ts';
import { parseApiVersion } from '../schema/resources.ts';
import { builtInType } from './built-in-type.ts';
import { inVersion, kindVersions } from './versions.ts';

/** The versions of a kind that have other fields; undefined where all have the same. */
export function managedVersions({
  group,
  kind,
}: Pick<GroupVersionKind, 'group' | 'kind'>): ManagedVersions | undefined {
  const versions = kindVersions({ group, kind });
  if (!versions) return undefined;
  const gvkOf = (apiVersion: string): GroupVersionKind | undefined => {
    const parsed = parseApiVersion(apiVersion);
    const isKnown = parsed?.group === group && Object.hasOwn(versions.forms, parsed.version);
    return isKnown ? { ...parsed, kind } : undefined;
  };
  return {
    convert(object, from, to) {
      const [source, target] = [gvkOf(from), gvkOf(to)];
      if (!source || !target) return undefined;
      // Half of an object may be meant: what it has not got is empty, as in Go.
      return inVersion(source, builtInType(source).read(object).object, target.version) as JsonObject;
    },
    nodeOf: (apiVersion) => builtInType(gvkOf(apiVersion)!).node,
  };
}

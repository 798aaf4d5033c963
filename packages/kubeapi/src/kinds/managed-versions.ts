/** What the tracking of managed fields asks of kinds whose versions have other fields. */
import type { ManagedVersions } from '../apply/versions.ts';
import type { GroupVersionKind } from '../generated/types.ts';
import type { JsonObject } from '../json/json-value.ts';
import { parseApiVersion } from '../schema/resources.ts';
import { schemaOfKind } from '../schema/schema.ts';
import { builtInType } from './built-in-type.ts';
import { inVersion, kindVersions } from './versions.ts';

/** The versions of a built-in kind, whatever their fields; undefined where nothing is known of it. */
export function managedVersions({ group, version, kind }: GroupVersionKind): ManagedVersions | undefined {
  if (!schemaOfKind({ group, version, kind })) return undefined;
  const versions = kindVersions({ group, kind });
  if (!versions) return alikeVersions({ group, version, kind });
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

/** Those of a kind that is served in one version, under the names that others have, or had, elsewhere. */
function alikeVersions(gvk: GroupVersionKind): ManagedVersions {
  const { node } = builtInType(gvk);
  const isOne = (apiVersion: string) => {
    const parsed = parseApiVersion(apiVersion);
    if (!parsed || !/^v\d+((alpha|beta)\d+)?$/.test(parsed.version)) return false;
    return parsed.group === gvk.group || otherGroups.get(gvk.kind)?.has(parsed.group) === true;
  };
  return { convert: (object, _, to) => (isOne(to) ? object : undefined), nodeOf: () => node };
}

const moved = new Set(['extensions']);
/** Where kinds were before, and are besides. */
const otherGroups: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ...['DaemonSet', 'Deployment', 'ReplicaSet', 'Ingress', 'NetworkPolicy'].map(
    (kind) => [kind, moved] as const,
  ),
  ['Event', new Set(['', 'events.k8s.io'])],
]);

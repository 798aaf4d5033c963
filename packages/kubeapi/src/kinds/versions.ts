/** Objects of one kind whose versions have other fields. */
import type { GroupVersionKind } from '../generated/types.ts';
import { ownValue } from '../json/json-value.ts';
import { formatApiVersion } from '../schema/resources.ts';
import type { KindVersions, VersionForm } from './definition.ts';
import { kindDefinition } from './index.ts';

/** The versions of a kind; undefined where they have the same fields, or there is only one. */
export function kindVersions(kind: Pick<GroupVersionKind, 'group' | 'kind'>): KindVersions | undefined {
  return kindDefinition(kind)?.versions;
}

/** The object as the kind's definition knows it. */
export function inHub<T extends object>(gvk: GroupVersionKind, object: T): T {
  const versions = kindVersions(gvk);
  if (!versions || versions.hub === gvk.version) return object;
  return (formOf(versions, gvk.version)?.toHub(object as never) as T | undefined) ?? object;
}

/** The object in another version of its kind; undefined where there is no such version. */
export function inVersion<T extends object>(
  gvk: GroupVersionKind,
  object: T,
  version: string,
): T | undefined {
  const versions = kindVersions(gvk);
  const form = versions && formOf(versions, version);
  if (!form) return undefined;
  const hub = formOf(versions, gvk.version)?.toHub(object as never) ?? object;
  return { ...(form.fromHub(hub as never) as T), apiVersion: formatApiVersion(gvk.group, version) };
}

function formOf({ forms }: KindVersions, version: string): VersionForm | undefined {
  return ownValue(forms, version);
}

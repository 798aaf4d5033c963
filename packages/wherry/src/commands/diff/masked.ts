import type { KubeObject } from '@wherry/client';
import { isJsonObject, type JsonObject, jsonEqual, ownValue, setOwn } from '@wherry/kubeapi';
import { lastAppliedAnnotation } from '../../objects/manifests/last-applied.ts';

/** Two versions of an object; undefined where there is none. */
export interface Versions {
  live: KubeObject | undefined;
  merged: KubeObject | undefined;
}

const mask = '***';

/** Secrets without what is secret in them; what differs can be told from what does not. Other objects as they are. */
export function masked(versions: Versions): Versions {
  const { apiVersion, kind } = versions.merged ?? versions.live ?? {};
  if (kind !== 'Secret' || (apiVersion ?? '').split('/').at(-1) !== 'v1') return versions;
  const live = { ...versions.live } as object as JsonObject;
  const merged = { ...versions.merged } as object as JsonObject;
  maskField(live, merged, 'data');
  // What client-side apply was given has all of it, too.
  const annotations = [live, merged].map(copiedAnnotations) as [JsonObject, JsonObject];
  maskKey(...annotations, lastAppliedAnnotation);
  return {
    live: versions.live && (live as object),
    merged: versions.merged && (merged as object),
  };
}

/** Masks all of a field of both. */
function maskField(live: JsonObject, merged: JsonObject, field: string): void {
  const [one, other] = [live, merged].map((object) => {
    const value = ownValue(object, field);
    const copy = isJsonObject(value) ? { ...value } : {};
    if (isJsonObject(value)) setOwn(object, field, copy);
    return copy;
  }) as [JsonObject, JsonObject];
  for (const key of new Set([...Object.keys(one), ...Object.keys(other)])) maskKey(one, other, key);
}

function maskKey(one: JsonObject, other: JsonObject, key: string): void {
  const [before, after] = [ownValue(one, key), ownValue(other, key)];
  const differs = before !== undefined && after !== undefined && !jsonEqual(before, after);
  if (before !== undefined) setOwn(one, key, differs ? `${mask} (before)` : mask);
  if (after !== undefined) setOwn(other, key, differs ? `${mask} (after)` : mask);
}

/** The annotations of an object, which may be written to. */
function copiedAnnotations(object: JsonObject): JsonObject {
  const { metadata } = object;
  const annotations = isJsonObject(metadata) ? metadata['annotations'] : undefined;
  if (!isJsonObject(metadata) || !isJsonObject(annotations)) return {};
  const copy = { ...annotations };
  object['metadata'] = { ...metadata, annotations: copy };
  return copy;
}

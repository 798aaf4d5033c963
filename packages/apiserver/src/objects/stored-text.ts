import { exactJson, formatApiVersion, type GroupVersionKind, parseExactJson } from '@wherry/kubeapi';
import type { StoredValue } from '../store/stored-value.ts';
import type { ApiObject } from './api-object.ts';

/**
 * How objects stand in the store: JSON with the apiVersion of its form, without kind and resourceVersion, metadata
 * first. What a client gets in JSON is this text from its metadata on, with those three put in front, so that lists and
 * watches need no parsing. Texts of before the apiVersion was kept begin with their metadata.
 */
const metadataStart = '"metadata":{';

/** The text to store, in the form of `apiVersion`. */
export function toStoredText(object: ApiObject, apiVersion: string): string {
  const { kind: _kind, apiVersion: _apiVersion, metadata, ...rest } = object;
  const { resourceVersion: _resourceVersion, ...kept } = metadata;
  return exactJson({ apiVersion, metadata: kept, ...rest });
}

/** The apiVersion that a text was stored in; undefined for texts of before it was kept. */
export function storedApiVersion(value: string): string | undefined {
  return /^\{"apiVersion":"([^"\\]*)",/.exec(value)?.[1];
}

/** The object as an item of a list: with its resourceVersion (none at revision 0: a dry run), without kind. */
export function itemText(value: string, revision: number): string {
  const start = value.indexOf(metadataStart);
  if (revision === 0) return `{${value.slice(start)}`;
  const rest = value.slice(start + metadataStart.length);
  // What is no object of a client may have no metadata.
  return `{${metadataStart}"resourceVersion":"${revision}"${rest.startsWith('}') ? '' : ','}${rest}`;
}

/** The object as it stands alone: with kind, apiVersion and resourceVersion. */
export function objectText(value: string, revision: number, gvk: GroupVersionKind): string {
  const apiVersion = formatApiVersion(gvk.group, gvk.version);
  return `{"kind":"${gvk.kind}","apiVersion":"${apiVersion}",${itemText(value, revision).slice(1)}`;
}

/** The object in memory, with kind, apiVersion and resourceVersion. */
export function parseStored(value: string, revision: number, gvk: GroupVersionKind): ApiObject {
  return parseExactJson(objectText(value, revision, gvk)) as unknown as ApiObject;
}

/** {@link parseStored} of what a store returned. */
export function objectOf(stored: StoredValue, gvk: GroupVersionKind): ApiObject {
  return parseStored(stored.value, stored.modRevision, gvk);
}

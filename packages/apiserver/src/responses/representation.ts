import {
  type GroupVersionKind,
  type IncludeObject,
  type JsonObject,
  type ListMeta,
  type ObjectMeta,
  type ObjectType,
  StatusError,
  tableFor,
} from '@wherry/kubeapi';
import type { MediaType } from '../http/negotiation.ts';
import type { ApiObject } from '../objects/api-object.ts';

/** How a Table is made. */
export interface TableOptions {
  media: MediaType;
  includeObject: IncludeObject;
  nowMs: number;
  /** Default: the resourceVersion of the only object. */
  metadata?: ListMeta | undefined;
}

/** Objects of one kind as kubectl prints them. */
export function tableOf(type: ObjectType, objects: readonly ApiObject[], options: TableOptions): object {
  const { media, includeObject, nowMs } = options;
  const { resourceVersion } = objects[0]?.metadata ?? {};
  const listMetadata = options.metadata ?? (resourceVersion ? { resourceVersion } : {});
  const version = media.asVersion === 'v1beta1' ? 'v1beta1' : 'v1';
  return tableFor({
    gvk: type.gvk,
    printer: type.printer,
    objects,
    nowMs,
    includeObject,
    listMetadata,
    version,
  });
}

/** An object's metadata alone. */
export function partialObject(object: { metadata: ObjectMeta }, version: string): JsonObject {
  const apiVersion = `meta.k8s.io/${version}`;
  const { metadata } = object as unknown as { metadata: JsonObject };
  return { kind: 'PartialObjectMetadata', apiVersion, metadata };
}

/** A list of them. */
export function partialList(objects: readonly ApiObject[], metadata: ListMeta, version: string): object {
  const items = objects.map((object) => partialObject(object, version));
  return { kind: 'PartialObjectMetadataList', apiVersion: `meta.k8s.io/${version}`, metadata, items };
}

/** 406 for the metadata of a list where an object's are asked for, or the other way round. */
export function wrongShape(
  { gvk, listKind, schema }: ObjectType,
  asked: MediaType['as'],
  isList: boolean,
): StatusError {
  const kind = isList ? (listKind ?? `${gvk.kind}List`) : gvk.kind;
  const known = isList ? '*unstructured.UnstructuredList' : '*unstructured.Unstructured';
  const type = schema ? `*${packageOf(gvk)}.${kind}` : known;
  const message = `you requested ${asked}, but the requested object is ${isList ? 'a list' : 'not a list'} (${type})`;
  return new StatusError({ code: 406, reason: 'NotAcceptable', message });
}

/** Upstream's name for where a group's types are. */
function packageOf({ group }: GroupVersionKind): string {
  return group === '' || group === 'events.k8s.io' ? 'core' : (group.split('.')[0] ?? '');
}

import { builtInType, formatApiVersion, type GroupVersionKind, type ListMeta } from '@wherry/kubeapi';
import type { ApiObject } from '../objects/api-object.ts';
import type { Wire } from '../registry/handler.ts';
import type { ResourceRequest } from '../requests/request.ts';
import { partialList, partialObject, type TableOptions, tableOf } from '../responses/representation.ts';
import { type AnswerOptions, sendObject } from '../responses/responder.ts';

/** Answers a GET with an object that is worked out, not stored. */
export function sendComputed(
  object: ApiObject,
  gvk: GroupVersionKind,
  { request, wire }: { request: ResourceRequest; wire: Wire },
): void {
  const { media } = request;
  const options = optionsOf(request, wire);
  if (media.as === 'Table') sendObject(tableOf(builtInType(gvk), [object], tableOptions(request)), options);
  else sendObject(media.as === 'object' ? object : partialObject(object, media.asVersion), options);
}

/** Answers a list of such objects. */
export function sendComputedList(
  objects: readonly ApiObject[],
  gvk: GroupVersionKind,
  { request, wire, metadata }: { request: ResourceRequest; wire: Wire; metadata: ListMeta },
): void {
  const { media } = request;
  const options = optionsOf(request, wire);
  if (media.as === 'Table') {
    const table = { ...tableOptions(request), metadata };
    sendObject(tableOf(builtInType(gvk), objects, table), options);
  } else if (media.as !== 'object') sendObject(partialList(objects, metadata, media.asVersion), options);
  else {
    const apiVersion = formatApiVersion(gvk.group, gvk.version);
    const items = objects.map(({ kind: _kind, apiVersion: _version, ...rest }) => rest);
    sendObject({ kind: `${gvk.kind}List`, apiVersion, metadata, items }, options);
  }
}

function optionsOf({ media }: ResourceRequest, wire: Wire): AnswerOptions {
  return { response: wire.response(), media, code: 200, nowMs: 0 };
}

function tableOptions({ media, query }: ResourceRequest): TableOptions {
  const includeObject = query.text('includeObject') === 'None' ? 'None' : 'Metadata';
  return { media, includeObject, nowMs: 0 };
}

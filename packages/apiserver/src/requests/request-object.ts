import {
  badRequest,
  decodeBody,
  formatApiVersion,
  type GroupVersionKind,
  type JsonObject,
  mediaTypes,
  type ObjectType,
  parseMediaClause,
  strictError,
  unsupportedMediaType,
} from '@wherry/kubeapi';
import { readBody } from '../http/body.ts';
import { acceptedMediaTypes, textMediaTypes } from '../http/negotiation.ts';
import { type ApiObject, as, copyOf } from '../objects/api-object.ts';
import type { ResourceRequest } from './request.ts';
import type { FieldValidation } from './write-options.ts';

/**
 * The object in a request's body. Throws 400 on what is malformed or of another kind, 413, 415, and what
 * `fieldValidation` asks for. `former` is a kind with the same fields, which counts as that of the type.
 */
export async function readObject(
  request: ResourceRequest,
  type: ObjectType,
  fieldValidation: FieldValidation,
  former?: GroupVersionKind,
): Promise<ApiObject> {
  const expected = type.gvk;
  const content = parseMediaClause(request.http.headers['content-type'] || 'application/json');
  const format = mediaTypes.get(content.type);
  const isUnreadable = format === 'protobuf' && !type.schema;
  if (!format || isUnreadable) throw unsupportedMediaType(type.schema ? acceptedMediaTypes : textMediaTypes);
  const body = await readBody(request.http);
  const findDuplicates = fieldValidation !== 'Ignore';
  const reader = type.schema ? {} : { type };
  const decoded = decodeBody(body, { format, expected, former, findDuplicates, ...reader });
  checkKind(decoded.gvk, expected);
  if (fieldValidation === 'Strict') {
    const refusal = strictError(decoded, expected);
    if (refusal) throw refusal;
  }
  if (fieldValidation === 'Warn') request.warnings.push(...decoded.complaints);
  const object = withMetadata(decoded.object);
  request.audit?.requests(() => withDefaults(object, type));
  return object;
}

/** A copy as upstream writes it down. */
function withDefaults(object: ApiObject, type: ObjectType): JsonObject {
  const copy = copyOf(object);
  type.setDefaults(copy);
  return as<JsonObject>(copy);
}

/** Objects without metadata get an empty one. */
export function withMetadata(object: object): ApiObject {
  const { metadata } = object as Partial<ApiObject>;
  return { ...object, metadata: metadata ?? {} };
}

function checkKind(found: GroupVersionKind, expected: GroupVersionKind): void {
  if (found.kind !== expected.kind) {
    const why = `the kind in the data (${found.kind}) does not match the expected kind (${expected.kind})`;
    throw badRequest(why);
  }
  const foundVersion = formatApiVersion(found.group, found.version);
  const expectedVersion = formatApiVersion(expected.group, expected.version);
  if (foundVersion !== expectedVersion) {
    const why = `the API version in the data (${foundVersion}) does not match the expected API version (${expectedVersion})`;
    throw badRequest(why);
  }
}

/** Throws 400 unless the object has the name that the path has. */
export function checkName({ metadata }: ApiObject, { info }: Pick<ResourceRequest, 'info'>): void {
  const { name } = info;
  if (!metadata.name) {
    const why = `the name of the object (${name} based on URL) was undeterminable: name must be provided`;
    throw badRequest(why);
  }
  if (metadata.name === name) return;
  throw badRequest(`the name of the object (${metadata.name}) does not match the name on the URL (${name})`);
}

/** Fills in and checks the namespace that the path names. Throws 400 when the object says another. */
export function settleNamespace(object: ApiObject, request: ResourceRequest, namespaced: boolean): void {
  const { metadata } = object;
  if (!namespaced) {
    delete metadata.namespace;
    return;
  }
  const { namespace } = request.info;
  if (metadata.namespace && metadata.namespace !== namespace) {
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request');
  }
  metadata.namespace = namespace;
}

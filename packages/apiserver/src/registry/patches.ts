import { shownJson } from '@wherry/bytes';
import {
  applyJsonPatch,
  applyMergePatch,
  applyStrategicPatch,
  badRequest,
  ConformError,
  exactJson,
  type FieldError,
  fieldComplaintsMax,
  forbiddenField,
  formatApiVersion,
  goText,
  invalid,
  invalidValue,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  jsonKind,
  notOfGoType,
  type ObjectType,
  PatchError,
  parseTextWith,
  requestEntityTooLarge,
  required,
  StatusError,
  unknownFieldText,
  unsupportedMediaType,
  yamlErrors,
} from '@wherry/kubeapi';
import { readBody } from '../http/body.ts';
import type { Query } from '../http/query.ts';
import { type ApiObject, as } from '../objects/api-object.ts';
import type { ResourceRequest } from '../requests/request.ts';
import { withMetadata } from '../requests/request-object.ts';
import { readWriteOptions, type WriteOptions } from '../requests/write-options.ts';
import type { Collection } from './collection.ts';
import { applyFields, inMaps, managerName } from './field-managers.ts';

/** The patch formats. `apply` is server-side apply. */
export type PatchType = 'json' | 'merge' | 'strategic' | 'apply';

/** A patch as it came. */
export interface Patch {
  type: PatchType;
  value: JsonValue;
  /** A sentence for each key that stands twice in it. */
  duplicates: readonly string[];
  /** Why its body can't be read, which counts once there is what it is for; its value is null then. */
  problem?: StatusError;
}

const patchTypes: ReadonlyMap<string, PatchType> = new Map([
  ['application/json-patch+json', 'json'],
  ['application/merge-patch+json', 'merge'],
  ['application/strategic-merge-patch+json', 'strategic'],
  ['application/apply-patch+yaml', 'apply'],
]);

/** As upstream, which knows these in small letters alone. */
const patchTypeOf = (contentType = ''): PatchType | undefined =>
  patchTypes.get(contentType.split(';', 1)[0]!.trim());

/** False for what no PATCH of a built-in kind may be. */
export const isPatchType = (contentType: string | undefined): boolean =>
  patchTypeOf(contentType) !== undefined;

/** Reads a PATCH's body. Throws 413, 415 and 422; a strategic patch needs merge keys, which only built-in types have. */
export async function readPatch(
  request: ResourceRequest,
  { schema }: Pick<ObjectType, 'schema'>,
): Promise<Patch> {
  const patchType = patchTypeOf(request.http.headers['content-type']);
  const known = [...patchTypes].filter(([, type]) => type !== 'strategic' || schema);
  // Upstream has a list of its routes for built-in kinds, which says no more.
  if (!patchType && schema) throw unroutedMediaType();
  if (!patchType || (patchType === 'strategic' && !schema))
    throw unsupportedMediaType(known.map(([text]) => text));
  const body = await readBody(request.http);
  checkOptions(patchType, request.query);
  try {
    const { value, duplicates } = parsePatch(body, patchType, request.query.text('fieldValidation'));
    request.audit?.patches(value);
    return { type: patchType, value, duplicates };
  } catch (error) {
    if (!(error instanceof StatusError) || error.code !== 400) throw error;
    return { type: patchType, value: null, duplicates: [], problem: error };
  }
}

function unroutedMediaType(): StatusError {
  return new StatusError({
    code: 415,
    reason: 'UnsupportedMediaType',
    message: '415: Unsupported Media Type',
  });
}

/** Throws 400 as upstream, which says in other words for each format that it could not read it. */
function parsePatch(body: Uint8Array, patchType: PatchType, fieldValidation: string) {
  const findDuplicates = fieldValidation !== 'Ignore';
  try {
    return parseTextWith(body, patchType === 'apply' ? 'yaml' : 'json', { findDuplicates });
  } catch (error) {
    if (!(error instanceof StatusError) || patchType === 'strategic') throw error;
    if (patchType === 'apply')
      throw badRequest(`error decoding YAML: error converting YAML to JSON: ${error.message}`, error);
    if (findDuplicates) throw badRequest(`${decodingPatch}${error.message}`, error);
    throw patchType === 'merge' ? badRequest('Invalid JSON Patch', error) : error;
  }
}

const decodingPatch = 'error decoding patch: ';

/** An apply says who it is by, and it alone may take fields from others. */
function checkOptions(patchType: PatchType, query: Query): void {
  const errors: FieldError[] = [];
  if (patchType !== 'apply' && query.has('force')) {
    errors.push(forbiddenField('force', 'may not be specified for non-apply patch'));
  } else if (patchType === 'apply' && !query.text('fieldManager')) {
    errors.push(required('fieldManager', 'is required for apply patch'));
  }
  readWriteOptions(query, 'PatchOptions', errors);
}

/** The patched object, in the schema's form. Throws 400 and 422. */
export async function applyPatch(
  current: ApiObject | undefined,
  patch: Patch,
  context: {
    collection: Pick<Collection, 'resource' | 'clock'>;
    request: ResourceRequest;
    options: WriteOptions;
  },
): Promise<ApiObject> {
  const { collection, request, options } = context;
  if (patch.problem) throw patch.problem;
  if (patch.type === 'apply') {
    const { subresource } = request.info;
    const nowMs = collection.clock.nowMs();
    const manager = { name: managerName(request), resource: collection.resource, subresource, nowMs };
    const force = request.query.flag('force');
    const applied = await applyFields(current, patch.value, { manager, force });
    // Of what does not fit nothing else is said.
    complainOfConfig(patch, { request, options });
    return applied;
  }
  return patchValue(current!, patch, { type: collection.resource.type, request, options });
}

/** An object of some kind, changed by any patch but an apply. Throws 400 and 422. */
export function patchValue(
  current: ApiObject,
  patch: Patch,
  { type, request, options }: { type: ObjectType; request: ResourceRequest; options: WriteOptions },
): ApiObject {
  if (patch.problem) throw patch.problem;
  const patched = patchedValue(as<JsonObject>(current), patch, { type, options });
  try {
    // A strategic patch is read as what it patches, whatever it says.
    if (patch.type !== 'strategic') refuseOtherKind(patched, type);
    const { object, unknownFields } = isOfNoVersion(patched, patch, type)
      ? { object: type.read({}).object, unknownFields: fieldsOf(patched) }
      : type.read(patch.type === 'strategic' ? inMaps(patched, type) : patched);
    const complaints = [...complaintsOf(patch), ...unknownFields.map(unknownFieldText)];
    if (complaints.length > 0) complain(complaints, shownPatch(patch, patched), { request, options });
    return withMetadata(object);
  } catch (error) {
    if (!(error instanceof ConformError)) throw error;
    const why = patch.type === 'strategic' ? error.converterMessage : error.message;
    throw invalid({ group: '', kind: '' }, '', [invalidValue('patch', shownPatch(patch, patched), why)]);
  }
}

/** What is said of the patch itself, operation by operation. */
function complaintsOf({ type, value, duplicates }: Patch): readonly string[] {
  if (type !== 'json') return duplicates;
  const unknown = (Array.isArray(value) ? value : []).flatMap((operation, index) =>
    Object.keys(isJsonObject(operation) ? operation : {})
      .filter((name) => !operationFields.has(name))
      .map((name) => unknownFieldText(`[${index}].${name}`)),
  );
  const placeOf = (text: string) => Number(/\[(\d+)\]/.exec(text)?.[1]);
  return [...unknown.slice(0, fieldComplaintsMax), ...duplicates]
    .toSorted((left, right) => placeOf(left) - placeOf(right))
    .map((text) => `json patch ${text}`);
}

const operationFields: ReadonlySet<string> = new Set(['op', 'path', 'from', 'value']);

/** What a refusal shows: of a strategic patch itself, of others the text that they made (handlers/patch.go). */
function shownPatch({ type, value }: Patch, patched: JsonValue): string {
  return type === 'strategic' ? goText(value) : exactJson(patched);
}

function nameOf({ metadata }: JsonObject): string {
  const name = isJsonObject(metadata) ? metadata['name'] : undefined;
  return typeof name === 'string' ? name : '';
}

/**
 * Upstream reads an object that no longer says its version as one of its own internal form, which has none of the fields. Strategic
 * patches are read as what they patch, and custom resources have no internal form.
 */
const isOfNoVersion = (
  patched: JsonValue,
  { type: patchType }: Patch,
  { schema }: ObjectType,
): patched is JsonObject =>
  patchType !== 'strategic' && schema !== undefined && isJsonObject(patched) && !patched['apiVersion'];

const fieldsOf = (object: JsonObject): string[] =>
  Object.keys(object)
    .filter((name) => name !== 'apiVersion' && name !== 'kind')
    .sort();

/** Nothing becomes an object of another kind. */
function refuseOtherKind(patched: JsonValue, { schema, gvk }: ObjectType): void {
  if (!isJsonObject(patched)) return;
  const { group, version, kind } = gvk;
  const { apiVersion, kind: said } = patched;
  // Of custom resources nobody but the object itself tells what it is.
  if (!schema && !said) throw new ConformError(`Object 'Kind' is missing in '${exactJson(patched)}'`);
  if (!schema && typeof said === 'string' && said !== kind)
    throw invalid({ group, kind: said }, nameOf(patched), [invalidValue('kind', said, `must be ${kind}`)]);
  const expected = formatApiVersion(group, version);
  const [foundKind, foundVersion] = [said || kind, apiVersion || expected];
  if (foundKind === kind && foundVersion === expected) return;
  const what = `${shownJson(foundKind)} in version ${shownJson(foundVersion)}`;
  throw new ConformError(`${what} cannot be handled as a ${kind} in version ${expected}`);
}

/** A configuration's own doubled keys, which no schema knows. */
function complainOfConfig(
  { duplicates }: Patch,
  { request, options }: { request: ResourceRequest; options: WriteOptions },
): void {
  if (duplicates.length === 0 || options.fieldValidation === 'Ignore') return;
  const sentence = `error converting YAML to JSON: ${yamlErrors(duplicates)}`;
  if (options.fieldValidation === 'Strict') throw badRequest(`error strict decoding YAML: ${sentence}`);
  request.warnings.push(...duplicates.filter((text) => !request.warnings.includes(text)));
}

function complain(
  complaints: string[],
  shown: string,
  { request, options }: { request: ResourceRequest; options: WriteOptions },
): void {
  if (options.fieldValidation === 'Strict') {
    const why = `strict decoding error: ${complaints.join(', ')}`;
    throw invalid({ group: '', kind: '' }, '', [invalidValue('patch', shown, why)]);
  }
  if (options.fieldValidation !== 'Warn') return;
  // A patch is applied again when somebody else wrote meanwhile.
  request.warnings.push(...complaints.filter((text) => !request.warnings.includes(text)));
}

function patchedValue(
  current: JsonObject,
  { type: patchType, value }: Patch,
  { type, options }: { type: ObjectType; options: WriteOptions },
): JsonValue {
  const isRead = options.fieldValidation !== 'Ignore';
  try {
    if (patchType === 'strategic')
      return value === null ? current : applyStrategicPatch(current, objectOf(value), type.schema);
    if (patchType === 'merge') return applyMergePatch(current, mergePatchOf(value, isRead));
    if (isRead) checkOperations(value);
    return applyJsonPatch(current, value);
  } catch (error) {
    if (!(error instanceof PatchError)) throw error;
    if (error.code === 'too-many-operations') throw requestEntityTooLarge(error.message);
    if (patchType !== 'json' || error.code === 'malformed') throw badRequest(error.message, error);
    throw rejected(error);
  }
}

/** A merge patch is an object; unless it is read for its mistakes first, it may be a list, which is no object of any kind. */
function mergePatchOf(value: JsonValue, isRead: boolean): JsonValue {
  const isTaken = isJsonObject(value) || (!isRead && Array.isArray(value));
  if (value === null || (!isRead && !isTaken)) throw badRequest('Invalid JSON Patch');
  return isTaken ? value : objectOf(value, decodingPatch);
}

/** What Go's decoder says of operations that are none, before it is known what they are for. */
function checkOperations(value: JsonValue): void {
  if (value === null) return;
  if (!Array.isArray(value))
    throw badRequest(`${decodingPatch}${notOfGoType(value, '[]handlers.jsonPatchOp')}`);
  for (const entry of value) {
    if (entry === null) continue;
    if (!isJsonObject(entry))
      throw badRequest(`${decodingPatch}${notOfGoType(entry, 'handlers.jsonPatchOp')}`);
    for (const [name, part] of Object.entries(entry)) {
      if (!operationTexts.has(name) || part === null || typeof part === 'string') continue;
      throw badRequest(
        `${decodingPatch}json: cannot unmarshal ${jsonKind(part)} into Go struct field jsonPatchOp.${name} of type string`,
      );
    }
  }
}

const operationTexts: ReadonlySet<string> = new Set(['op', 'path', 'from']);

function objectOf(value: JsonValue, prefix = ''): JsonObject {
  if (isJsonObject(value)) return value;
  throw badRequest(`${prefix}${notOfGoType(value, 'map[string]interface {}')}`);
}

/** 422 as upstream answers when an operation of a JSON patch is none or does not fit, a test that fails among them. */
function rejected(error: PatchError): StatusError {
  return new StatusError({
    code: 422,
    reason: 'Invalid',
    message: 'the server rejected our request due to an error in our request',
    // kubectl prints field and message alone.
    details: { causes: [{ reason: 'UnexpectedServerResponse', field: 'patch', message: error.message }] },
    cause: error,
  });
}

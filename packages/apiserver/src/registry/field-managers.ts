import { shownJson } from '@wherry/bytes';
import {
  applyConfiguration,
  badRequest,
  blankObject,
  ConformError,
  formatApiVersion,
  type GroupVersionKind,
  holdsRawJson,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  jsonEqual,
  keyedPath,
  type ManagedFieldsEntry,
  type ManagedVersions,
  notOfGoType,
  type ObjectType,
  parseApiVersion,
  StatusError,
  schemaOfKind,
  timeFromMs,
  trackUpdate,
  unfitItems,
  withSortedKeys,
} from '@wherry/kubeapi';
import { type ApiObject, as } from '../objects/api-object.ts';
import type { ServedResource } from '../objects/strategy.ts';
import type { ResourceRequest } from '../requests/request.ts';
import { withMetadata } from '../requests/request-object.ts';
import { inManagedVersions, UnknownVersionError } from './managed-versions.ts';

/** Who writes fields, where and when. */
export interface FieldManager {
  name: string;
  resource: ServedResource;
  subresource: string;
  nowMs: number;
}

const nameLengthMax = 128;

/** The manager's name: as the client says, else the first part of its User-Agent, as upstream. */
export function managerName(request: ResourceRequest): string {
  const asked = request.query.text('fieldManager');
  if (asked !== '') return asked;
  const [agent = ''] = (request.http.headers['user-agent'] ?? '').split('/');
  return agent.slice(0, nameLengthMax) || 'unknown';
}

/**
 * Server-side apply. Throws 400 on a configuration that is none, 409 on fields of other managers, and 500 where somebody
 * manages fields of a custom resource in a version that is no more.
 */
export async function applyFields(
  live: ApiObject | undefined,
  config: JsonValue,
  options: { manager: FieldManager; force: boolean },
): Promise<ApiObject> {
  const { manager, force } = options;
  if (!isJsonObject(config)) throw misread(config);
  checkConfig(config, manager);
  const applying = { ...trackOptions(manager), live: live && as<JsonObject>(live), config, force };
  const { object, isChanged } = await inManagedVersions(manager.resource, (versions) =>
    applyConfiguration({ ...applying, versions }),
  );
  const { type } = manager.resource;
  return withMetadata(type.read(isChanged ? inMaps(object, type) : object).object);
}

/** What Go has taken apart into maps, and so has put in order what is kept as it was sent. */
export const inMaps = (value: JsonValue, { schema }: Pick<ObjectType, 'schema'>): JsonValue =>
  schema && holdsRawJson(schema) ? withSortedKeys(value) : value;

function misread(config: JsonValue): StatusError {
  if (config === null) return badRequest('invalid object type: /, Kind=');
  const why = notOfGoType(config, 'map[string]interface {}');
  return badRequest(`error decoding YAML: error unmarshaling JSON: while decoding JSON: ${why}`);
}

/** Writes down in an object that is about to be stored whose its changes are; `live` is what is there. */
export async function trackFields(
  live: ApiObject | undefined,
  next: ApiObject,
  manager: FieldManager,
): Promise<void> {
  const objects = { live: live && as<JsonObject>(live), next: as<JsonObject>(next) };
  const tracking = { ...trackOptions(manager), ...objects };
  const track = (versions?: ManagedVersions) => trackUpdate({ ...tracking, versions });
  // Whose the fields are is no reason to refuse a write. Where a version is no more, all is forgotten; where another server
  // does not tell, all versions count as alike.
  const entries = await inManagedVersions(manager.resource, track).catch((error: unknown) => {
    if (error instanceof UnknownVersionError) return undefined;
    if (!(error instanceof StatusError) || error.code < 500) throw error;
    return track();
  });
  if (entries && entries.length > 0) next.metadata.managedFields = entries;
  else delete next.metadata.managedFields;
}

/** Takes the times of managers back from a write that has changed nothing else (upstream: IgnoreManagedFieldsTimestampsTransformer). */
export function keepTimes(next: ApiObject, previous: ApiObject): void {
  const { managedFields = [] } = next.metadata;
  const { managedFields: before = [] } = previous.metadata;
  if (managedFields.length === 0 || managedFields.length !== before.length) return;
  if (managedFields.every(({ time }, index) => time === before[index]!.time)) return;
  const timeless = (entries: ManagedFieldsEntry[]) =>
    entries.map(({ time: _, ...entry }) => entry) as unknown as JsonValue[];
  if (!jsonEqual(timeless(managedFields), timeless(before))) return;
  const metadata = { ...next.metadata, managedFields: before };
  if (jsonEqual(as<JsonObject>({ ...next, metadata }), as<JsonObject>(previous))) next.metadata = metadata;
}

function checkConfig(config: JsonObject, manager: FieldManager): void {
  refuseOtherKind(config, manager.resource.facts);
  const { type } = manager.resource;
  const repeated = unfitItems(config, type.node);
  try {
    const { unknownFields } = type.read(config);
    const complaints = unknownFields.map(
      (path) => `${keyedPath(path, config, type.node)}: field not declared in schema`,
    );
    if (complaints.length + repeated.length > 0)
      throw untyped(config, type.gvk, [...complaints, ...repeated]);
  } catch (error) {
    throw error instanceof ConformError ? badRequest(error.message, error) : error;
  }
}

/** A configuration says itself what it is of. */
function refuseOtherKind(config: JsonObject, expected: GroupVersionKind): void {
  const { apiVersion, kind } = config;
  if (apiVersion === formatApiVersion(expected.group, expected.version) && kind === expected.kind) return;
  const found = typeof apiVersion === 'string' ? parseApiVersion(apiVersion) : undefined;
  const { group = '', version = '' } = found ?? {};
  throw badRequest(`invalid object type: ${group}/${version}, Kind=${typeof kind === 'string' ? kind : ''}`);
}

/** In the words of upstream's apply, which answers 500: who sent it has to change it, and is not to try again. */
function untyped(
  { metadata }: JsonObject,
  { group, version, kind }: GroupVersionKind,
  complaints: readonly string[],
): StatusError {
  const { namespace = '', name = '' } = isJsonObject(metadata) ? metadata : {};
  const said = `${shownJson(namespace)}/${shownJson(name)}; ${group}/${version}, Kind=${kind}`;
  const [first = ''] = complaints;
  const why = complaints.length === 1 ? first : `errors:${complaints.map((each) => `\n  ${each}`).join('')}`;
  return badRequest(`failed to create typed patch object (${said}): ${why}`);
}

function trackOptions({ name, resource, subresource, nowMs }: FieldManager) {
  const { group, version, subresources = [] } = resource.facts;
  const apiVersion = group === '' ? version : `${group}/${version}`;
  const hasStatus = subresources.some((child) => child.name === 'status');
  const usual = subresource === 'status' ? keptByStatus(resource) : hasStatus ? [['status']] : [];
  const ignoredFields = resource.strategy.unowned?.get(subresource) ?? usual;
  const { node } = resource.type;
  const schema = schemaOfKind(resource.facts);
  const blank = schema ? blankObject(schema) : {};
  const manager = { name, apiVersion, subresource };
  return { node, blank, manager, now: timeFromMs(nowMs), ignoredFields };
}

/** What a write of the status does not change, whatever it says of it (upstream: GetResetFields). */
function keptByStatus({ strategy: { statusKeeps = [] } }: ServedResource): string[][] {
  if (statusKeeps === 'metadata') return [['spec'], ['metadata']];
  return [['spec'], ...statusKeeps.map((name) => ['metadata', name])];
}

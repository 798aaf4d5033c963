import {
  type Applied,
  type ApplyOptions,
  applyConfiguration,
  badRequest,
  ConformError,
  conform,
  hasReason,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type ManagedFieldsEntry,
  schemaOfKind,
  timeFromMs,
  trackUpdate,
} from '@wherry/kubeapi';
import { type ApiObject, as } from './api-object.ts';
import type { ResourceRequest } from './request.ts';
import { withMetadata } from './request-object.ts';
import type { ServedResource } from './strategy.ts';
import type { FieldValidation } from './write-options.ts';

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

/** Server-side apply. Throws 400 on a configuration that is none, 409 on fields of other managers. */
export function applyFields(
  live: ApiObject | undefined,
  config: JsonValue,
  options: { manager: FieldManager; force: boolean; fieldValidation: FieldValidation; warnings: string[] },
): ApiObject {
  const { manager, force } = options;
  if (!isJsonObject(config)) throw badRequest('the configuration is not an object');
  checkConfig(config, options);
  const applying = { ...trackOptions(manager), live: live && as<JsonObject>(live), config };
  const { object } = applyOrTakeOver({ ...applying, force }, live);
  return withMetadata(conform(object, schemaOf(manager)).object);
}

/** The managed fields of an object that is about to be updated; undefined when it was never applied. */
export function trackFields(
  live: ApiObject,
  next: ApiObject,
  manager: FieldManager,
): ManagedFieldsEntry[] | undefined {
  if (!live.metadata.managedFields) return undefined;
  return trackUpdate({ ...trackOptions(manager), live: as<JsonObject>(live), next: as<JsonObject>(next) });
}

const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration';
const beforeFirstApply = '"before-first-apply"';

/**
 * What `kubectl apply` kept by its annotation, `kubectl apply --server-side` may take over without force (upstream:
 * managedfields' lastAppliedManager). Fields of known managers stay theirs.
 */
function applyOrTakeOver(options: ApplyOptions, live: ApiObject | undefined): Applied {
  try {
    return applyConfiguration(options);
  } catch (error) {
    const wasApplied = live?.metadata.annotations?.[lastApplied] !== undefined;
    if (!wasApplied || !hasReason(error, 'Conflict')) throw error;
    const causes = error.status.details?.causes ?? [];
    if (!causes.every(({ message }) => message?.includes(beforeFirstApply))) throw error;
    return applyConfiguration({ ...options, force: true });
  }
}

function checkConfig(
  config: JsonObject,
  {
    manager,
    fieldValidation,
    warnings,
  }: { manager: FieldManager; fieldValidation: FieldValidation; warnings: string[] },
): void {
  try {
    const { unknownFields } = conform(config, schemaOf(manager));
    if (unknownFields.length === 0 || fieldValidation === 'Ignore') return;
    if (fieldValidation === 'Warn') warnings.push(...unknownFields);
    else throw badRequest(`strict decoding error: ${unknownFields.join(', ')}`);
  } catch (error) {
    throw error instanceof ConformError ? badRequest(error.message, error) : error;
  }
}

function schemaOf({ resource }: FieldManager) {
  return schemaOfKind(resource.facts)!;
}

function trackOptions({ name, resource, subresource, nowMs }: FieldManager) {
  const { group, version, subresources = [] } = resource.facts;
  const apiVersion = group === '' ? version : `${group}/${version}`;
  const hasStatus = subresources.some((child) => child.name === 'status');
  const ignoredFields = subresource === 'status' ? [['spec']] : hasStatus ? [['status']] : [];
  const schema = schemaOfKind(resource.facts)!;
  return { schema, manager: { name, apiVersion, subresource }, now: timeFromMs(nowMs), ignoredFields };
}

/** Whole objects inside of custom resources: their apiVersion, kind and metadata (upstream: apiserver/schema/objectmeta). */

import type { ObjectMeta } from '../generated/types.ts';
import { isJsonObject, type JsonObject, type JsonValue, ownValue } from '../json/json-value.ts';
import { ConformError, conform } from '../schema/conform.ts';
import { parseApiVersion } from '../schema/resources.ts';
import { messageSchema } from '../schema/schema.ts';
import { at, child, type FieldError, invalidValue, required } from '../status/field-error.ts';
import { dns1035Label, pathSegment } from '../validation/formats.ts';
import { validateMetadata } from '../validation/metadata.ts';
import type { StructuralSchema } from './structural-schema.ts';

/** The metadata of an object in the schema's form, with the paths of what it does not know. Throws ConformError. */
export function conformMetadata(metadata: JsonValue): { metadata: JsonObject; unknownFields: string[] } {
  const { object, unknownFields } = conform(metadata, messageSchema('ObjectMeta'));
  // In what upstream keeps unstructured an empty list of managers is none (Unstructured.GetManagedFields).
  const { managedFields } = object;
  if (Array.isArray(managedFields) && managedFields.length === 0) delete object['managedFields'];
  return { metadata: object, unknownFields };
}

/**
 * Brings the metadata of all objects inside into the schema's form, in place, and answers the paths of what it does not
 * know. Throws ConformError.
 */
export function conformEmbedded(
  value: JsonValue,
  schema: StructuralSchema | undefined,
  path: string,
): string[] {
  return embeddedIn(value, schema, path).flatMap(({ object, place }) => {
    for (const key of ['apiVersion', 'kind'] as const) {
      const text = ownValue(object, key);
      if (text !== undefined && typeof text !== 'string') throw new ConformError(`${key}: must be a string`);
    }
    const given = ownValue(object, 'metadata');
    if (given === undefined) return [];
    const { metadata, unknownFields } = conformMetadata(given);
    object['metadata'] = metadata;
    return unknownFields.map((field) => `${child(place, 'metadata')}.${field}`);
  });
}

/** Violations in all objects inside. */
export function checkEmbedded(value: JsonValue, schema: StructuralSchema, path = ''): FieldError[] {
  return embeddedIn(value, schema, path).flatMap(({ object, place }) => checkObject(object, place));
}

interface Embedded {
  object: JsonObject;
  place: string;
}

function embeddedIn(value: JsonValue, schema: StructuralSchema | undefined, path: string): Embedded[] {
  if (!schema) return [];
  if (Array.isArray(value))
    return value.flatMap((item, index) => embeddedIn(item, schema.items, at(path, index)));
  if (!isJsonObject(value)) return [];
  const { additional, properties } = schema;
  const inner = Object.entries(value).flatMap(([name, part]) => {
    const known = properties.get(name);
    if (known) return embeddedIn(part, known, child(path, name));
    return typeof additional === 'object' ? embeddedIn(part, additional, at(path, name)) : [];
  });
  return schema.isEmbedded ? [{ object: value, place: path }, ...inner] : inner;
}

function checkObject(object: JsonObject, place: string): FieldError[] {
  const errors: FieldError[] = [];
  const apiVersion = ownValue(object, 'apiVersion');
  const kind = ownValue(object, 'kind');
  if (apiVersion === undefined) errors.push(required(child(place, 'apiVersion')));
  else errors.push(...checkApiVersion(apiVersion, child(place, 'apiVersion')));
  if (kind === undefined) errors.push(required(child(place, 'kind')));
  else errors.push(...checkKind(kind, child(place, 'kind')));
  const metadata = ownValue(object, 'metadata');
  if (isJsonObject(metadata)) {
    const { name = 'fakename', namespace = '' } = metadata as ObjectMeta;
    const complete = { ...metadata, name: name || 'fakename' };
    const found = validateMetadata(complete, { namespaced: namespace !== '', name: pathSegment });
    for (const error of found) errors.push({ ...error, field: child(place, error.field) });
  }
  return errors;
}

function checkApiVersion(value: JsonValue, path: string): FieldError[] {
  if (typeof value !== 'string') return [invalidValue(path, value, 'must be a string')];
  if (value === '') return [invalidValue(path, value, 'must not be empty')];
  return parseApiVersion(value)
    ? []
    : [invalidValue(path, value, `unexpected GroupVersion string: ${value}`)];
}

function checkKind(value: JsonValue, path: string): FieldError[] {
  if (typeof value !== 'string') return [invalidValue(path, value, 'must be a string')];
  if (value === '') return [invalidValue(path, value, 'must not be empty')];
  const complaints = dns1035Label(value.toLowerCase());
  if (complaints.length === 0) return [];
  const detail = `may have mixed case, but should otherwise match: ${complaints.join(',')}`;
  return [invalidValue(path, value, detail)];
}

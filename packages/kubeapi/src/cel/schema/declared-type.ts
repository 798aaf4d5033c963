/** The types of CEL that a schema comes to, with the sizes that its values may have (upstream: pkg/cel/common/schemas.go). */
import type { JSONSchemaProps } from '../../generated/types.ts';
import { isJsonObject, ownValue } from '../../json/json-value.ts';
import { bodyBytesMax } from '../../limits.ts';
import type { SizeOf } from '../cost/estimate.ts';
import {
  bool,
  bytes,
  double,
  duration,
  dyn,
  int,
  listOf,
  mapOf,
  objectNamed,
  string,
  type Type,
  timestamp,
} from '../types.ts';
import { escapedName } from './names.ts';

/** What is known of the values of one schema. */
export interface DeclaredType {
  type: Type;
  /** Parts that a value may have: characters, items, entries. */
  partsMax: number;
  /** Bytes of JSON that the least of them takes. */
  bytesMin: number;
  /** By their names in expressions. */
  fields: ReadonlyMap<string, DeclaredType> | undefined;
  /** Of lists and maps. */
  item: DeclaredType | undefined;
}

const leaf = (type: Type, bytesMin: number, partsMax = 0): DeclaredType => ({
  ...{ type, partsMax, bytesMin, fields: undefined, item: undefined },
});
const textMax = bodyBytesMax - 2;
const anyText: JSONSchemaProps = { type: 'string' };

/** Of values that may be anything, which expressions ask for what they are; no schema of a definition is this one. */
export const anything: JSONSchemaProps = {};

/** Undefined: expressions do not get to see such values. `name` names the type of objects. */
export function declaredType(words: JSONSchemaProps, name: string, isRoot = false): DeclaredType | undefined {
  if (words === anything) return leaf(dyn, 1, textMax);
  if (words['x-kubernetes-int-or-string'])
    return leaf(dyn, 1, words.maxLength === undefined ? textMax : Math.max(0, words.maxLength) * 4);
  switch (words.type) {
    case 'array':
      return isJsonObject(words.items) ? declaredList(words, words.items, name) : undefined;
    case 'object':
      return declaredObject(isRoot ? withMetadata(words) : words, name);
    case 'string':
      return declaredText(words);
    case 'boolean':
      return leaf(bool, 4);
    case 'number':
      return leaf(double, 1);
    case 'integer':
      return leaf(int, 1);
    default:
      return undefined;
  }
}

const isEmbedded = (words: JSONSchemaProps): boolean => words['x-kubernetes-embedded-resource'] === true;

function declaredList(
  words: JSONSchemaProps,
  items: JSONSchemaProps,
  name: string,
): DeclaredType | undefined {
  const item = declaredType(items, `${name}.@idx`, isEmbedded(items));
  if (!item) return undefined;
  const partsMax =
    words.maxItems === undefined
      ? Math.floor((bodyBytesMax - 2) / (item.bytesMin + 1))
      : Math.max(0, words.maxItems);
  return { type: listOf(item.type), partsMax, bytesMin: 2, fields: undefined, item };
}

function declaredObject(words: JSONSchemaProps, name: string): DeclaredType | undefined {
  const { additionalProperties, maxProperties, properties = {}, required = [] } = words;
  if (isJsonObject(additionalProperties)) {
    const item = declaredType(additionalProperties, `${name}.@elem`, isEmbedded(additionalProperties));
    if (!item) return undefined;
    const most = Math.floor((bodyBytesMax - 2) / (item.bytesMin + 6));
    const partsMax = maxProperties === undefined ? most : Math.max(0, maxProperties);
    return { type: mapOf(string, item.type), partsMax, bytesMin: 2, fields: undefined, item };
  }
  const fields = new Map<string, DeclaredType>();
  let bytesMin = 2;
  for (const [key, part] of Object.entries(properties)) {
    const escaped = escapedName(key);
    const field = declaredType(part, `${name}.${escaped ?? key}`, isEmbedded(part));
    if (!field) continue;
    if (escaped !== undefined) fields.set(escaped, field);
    // What has a default need not be sent.
    if (required.includes(key) && part.default === undefined)
      bytesMin += new TextEncoder().encode(key).length + field.bytesMin + 4;
  }
  return { type: objectNamed(name), partsMax: 0, bytesMin, fields, item: undefined };
}

function declaredText({ format, maxLength, enum: values = [] }: JSONSchemaProps): DeclaredType {
  if (format === 'byte') return leaf(bytes, 2, maxLength === undefined ? textMax : Math.max(0, maxLength));
  if (format === 'duration') return leaf(duration, 3, 32);
  if (format === 'date') return leaf(timestamp, 12, 12);
  if (format === 'date-time') return leaf(timestamp, 21, 32);
  if (maxLength !== undefined) return leaf(string, 2, Math.max(0, maxLength) * 4);
  if (values.length === 0) return leaf(string, 2, textMax);
  const lengths = values.map((value) =>
    typeof value === 'string' ? new TextEncoder().encode(value).length : 0,
  );
  return leaf(string, 2, Math.max(0, ...lengths));
}

/** The schema of a whole object, of which expressions always see what it is and what it is called. */
export function withMetadata(words: JSONSchemaProps): JSONSchemaProps {
  if (tellsOfMetadata(words)) return words;
  const metadata: JSONSchemaProps = { type: 'object', properties: { name: anyText, generateName: anyText } };
  return { ...words, properties: { ...words.properties, kind: anyText, apiVersion: anyText, metadata } };
}

function tellsOfMetadata({ properties }: JSONSchemaProps): boolean {
  const isText = (of: JSONSchemaProps['properties'], name: string) => ownValue(of, name)?.type === 'string';
  const metadata = ownValue(properties, 'metadata');
  return (
    ['kind', 'apiVersion'].every((name) => isText(properties, name)) &&
    metadata?.type === 'object' &&
    ['name', 'generateName'].every((name) => isText(metadata.properties, name))
  );
}

/** The fields of all objects within a type. */
export function fieldTypesOf(root: DeclaredType): (objectName: string, field: string) => Type | undefined {
  const objects = new Map<string, ReadonlyMap<string, DeclaredType>>();
  const visit = ({ type, fields, item }: DeclaredType) => {
    if (fields) objects.set(type.name, fields);
    for (const field of fields?.values() ?? []) visit(field);
    if (item) visit(item);
  };
  visit(root);
  return (objectName, field) => {
    const fields = objects.get(objectName);
    return (fields?.get(field) ?? fields?.get(`__${field}__`))?.type;
  };
}

/** Sizes of the parts of variables that are all of this type. */
export function sizesOf(root: DeclaredType): SizeOf {
  return ([, ...path]) => {
    let found: DeclaredType | undefined = root;
    for (const name of path) {
      if (name === '@items' || name === '@values') found = found.item;
      else if (name === '@keys') found = found.type.kind === 'map' ? leaf(string, 2, 0) : undefined;
      else found = found.fields?.get(name);
      if (!found) return undefined;
    }
    return { min: 0, max: found.partsMax };
  };
}

/** The schema's messages as OpenAPI v3 component schemas. */
import { type JsonObject, type JsonValue, setOwn } from '../json/json-value.ts';
import { type FieldSchema, type MessageSchema, messageSchema, type ScalarType } from '../schema/schema.ts';
import { fieldDescription, kindDescription } from './descriptions.ts';

const machinery = 'io.k8s.apimachinery.pkg.';

/** Types that have a component of their own. */
const namedScalars: Partial<Record<ScalarType, { name: string; schema: JsonObject }>> = {
  Time: {
    name: `${machinery}apis.meta.v1.Time`,
    schema: { type: 'string', format: 'date-time', description: 'A moment in RFC 3339, to the second.' },
  },
  MicroTime: {
    name: `${machinery}apis.meta.v1.MicroTime`,
    schema: { type: 'string', format: 'date-time', description: 'A moment in RFC 3339, to the microsecond.' },
  },
  Quantity: {
    name: `${machinery}api.resource.Quantity`,
    schema: {
      oneOf: [{ type: 'string' }, { type: 'number' }],
      description: 'An exact amount with an optional suffix: 500m is half of one, 1Ki is 1024, 1k is 1000.',
    },
  },
  IntOrString: {
    name: `${machinery}util.intstr.IntOrString`,
    schema: {
      oneOf: [{ type: 'integer' }, { type: 'string' }],
      format: 'int-or-string',
      description: 'A number, or a name or percentage as text.',
    },
  },
  RawExtension: {
    name: `${machinery}runtime.RawExtension`,
    schema: { type: 'object', description: 'An object of any kind.' },
  },
  FieldsV1: {
    name: `${machinery}apis.meta.v1.FieldsV1`,
    schema: { type: 'object', description: 'A set of fields, as a tree of their names.' },
  },
  // kubectl explains no schema that says nothing.
  Any: {
    name: 'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSON',
    schema: { description: 'Any value that JSON has.' },
  },
};

const plainScalars: Partial<Record<ScalarType, JsonObject>> = {
  string: { type: 'string' },
  bool: { type: 'boolean' },
  int32: { type: 'integer', format: 'int32' },
  int64: { type: 'integer', format: 'int64' },
  double: { type: 'number', format: 'double' },
  bytes: { type: 'string', format: 'byte' },
  Duration: { type: 'string' },
  Strings: { type: 'array', items: { type: 'string', default: '' } },
};

const zeroDefaults: Partial<Record<ScalarType, JsonValue>> = { string: '', bool: false, int32: 0, int64: 0 };

const reference = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` });

/** The component schemas that the given messages need, themselves included, by OpenAPI name. */
export function componentSchemas(roots: Iterable<MessageSchema>): JsonObject {
  const components: JsonObject = {};
  const pending = [...roots];
  for (let schema = pending.pop(); schema; schema = pending.pop()) {
    if (Object.hasOwn(components, schema.openApiName)) continue;
    setOwn(components, schema.openApiName, messageComponent(schema));
    for (const field of schema.jsonFields.values()) {
      if (field.message !== undefined) pending.push(messageSchema(field.message));
      const named = field.scalar && namedScalars[field.scalar];
      if (named) setOwn(components, named.name, named.schema);
    }
  }
  return Object.fromEntries(Object.entries(components).sort(([left], [right]) => (left < right ? -1 : 1)));
}

function messageComponent(schema: MessageSchema): JsonObject {
  if (schema.alternative) return { description: kindDescription(schema.name) };
  const properties: [string, JsonValue][] = [...schema.jsonFields].map(([name, field]) => [
    name,
    describe(fieldSchema(field), fieldDescription(schema.name, name, schema.isKind)),
  ]);
  const required = [...schema.jsonFields].filter(([, field]) => field.required).map(([name]) => name);
  if (schema.isKind) {
    for (const name of ['apiVersion', 'kind']) {
      properties.push([name, { type: 'string', description: fieldDescription(schema.name, name, true) }]);
    }
  }
  properties.sort(([left], [right]) => (left < right ? -1 : 1));
  return {
    description: kindDescription(schema.name),
    type: 'object',
    ...(properties.length > 0 ? { properties: Object.fromEntries(properties) } : {}),
    ...(required.length > 0 ? { required: required.sort() } : {}),
    ...(schema.atomic ? { 'x-kubernetes-map-type': 'atomic' } : {}),
    ...(schema.isKind ? { 'x-kubernetes-group-version-kind': [gvkOf(schema)] } : {}),
  };
}

/** The kind as the extension carries it; meta/v1 kinds stand in the core group. */
export function gvkOf(schema: MessageSchema): JsonObject {
  const group = schema.group === 'meta.k8s.io' ? '' : schema.group;
  return { group, kind: schema.upstreamName, version: schema.version };
}

const describe = (schema: JsonObject, description: string): JsonObject =>
  description === '' ? schema : { description, ...schema };

function fieldSchema(field: FieldSchema): JsonObject {
  const extensions = fieldExtensions(field);
  if (field.shape === 'list') return { type: 'array', items: elementSchema(field, true), ...extensions };
  if (field.shape === 'map')
    return { type: 'object', additionalProperties: elementSchema(field, true), ...extensions };
  return { ...elementSchema(field, false), ...extensions };
}

function elementSchema(field: FieldSchema, isElement: boolean): JsonObject {
  const hasZero = isElement || (!field.pointer && field.keep);
  if (field.message !== undefined) {
    const isStruct = isElement || !field.pointer;
    const name = messageSchema(field.message).openApiName;
    return { allOf: [reference(name)], ...(isStruct ? { default: {} } : {}) };
  }
  const scalar = field.scalar!;
  const named = namedScalars[scalar];
  if (named) return isElement ? reference(named.name) : { allOf: [reference(named.name)] };
  const schema: JsonObject = { ...plainScalars[scalar] };
  if (field.enumValues && field.enumValues.length > 0) schema['enum'] = [...field.enumValues];
  const fallback = field.defaultValue ?? (hasZero ? zeroDefaults[scalar] : undefined);
  if (fallback !== undefined) schema['default'] = fallback;
  return schema;
}

function fieldExtensions(field: FieldSchema): JsonObject {
  return {
    ...(field.listMapKeys.length > 0 ? { 'x-kubernetes-list-map-keys': [...field.listMapKeys] } : {}),
    ...(field.listType ? { 'x-kubernetes-list-type': field.listType } : {}),
    ...(field.atomic ? { 'x-kubernetes-map-type': 'atomic' } : {}),
    ...(field.patchMergeKey ? { 'x-kubernetes-patch-merge-key': field.patchMergeKey } : {}),
    ...(field.patchStrategies.length > 0
      ? { 'x-kubernetes-patch-strategy': field.patchStrategies.join(',') }
      : {}),
  };
}

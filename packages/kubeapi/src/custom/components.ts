/** OpenAPI components of custom resources: the words of their schemas, with what every object has. */
import type {
  CustomResourceDefinition,
  CustomResourceDefinitionVersion,
  JSONSchemaProps,
} from '../generated/types.ts';
import { isJsonObject, type JsonObject, type JsonValue, setOwn } from '../json/json-value.ts';
import { messageSchema } from '../schema/schema.ts';

/** What a document says of a custom resource. */
export interface CustomComponents {
  /** Names of the components of an object and of a list. */
  object: string;
  list: string;
  schemas: JsonObject;
}

const reference = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` });
const metadataOf = (message: string, description: string): JsonObject => ({
  allOf: [reference(messageSchema(message).openApiName)],
  description,
});
const text = (description: string): JsonObject => ({ type: 'string', description });

/** The components of a definition in one of its versions: `com.example.v1.Widget` and its list. */
export function customComponents(
  { spec }: CustomResourceDefinition,
  { name: version, schema, selectableFields = [] }: CustomResourceDefinitionVersion,
): CustomComponents {
  const { kind, listKind = `${kind}List` } = spec.names;
  const prefix = `${spec.group.split('.').reverse().join('.')}.${version}`;
  const [object, list] = [`${prefix}.${kind}`, `${prefix}.${listKind}`];
  const selectable = selectableFields.map(({ jsonPath }) => ({ fieldPath: jsonPath.replace(/^\./, '') }));
  const ofKind = (kind: string) => ({
    [kindWord]: [{ group: spec.group, kind, version }],
    ...(selectable.length > 0 ? { 'x-kubernetes-selectable-fields': selectable } : {}),
  });
  const { properties, ...words } = published(schema?.openAPIV3Schema ?? {});
  const types = {
    apiVersion: text('APIVersion defines which version of the schema this object is written in.'),
    kind: text('What this object is. Cannot be changed.'),
  };
  const schemas: JsonObject = {
    [object]: {
      ...{ type: 'object', ...words },
      properties: {
        ...(isJsonObject(properties) ? properties : {}),
        ...{
          ...types,
          metadata: metadataOf(
            'ObjectMeta',
            "Standard object's metadata: its name, namespace, labels and so on.",
          ),
        },
      },
      ...ofKind(kind),
    },
    [list]: {
      ...{ type: 'object', description: `A list of ${kind}.`, required: ['items'] },
      properties: {
        ...types,
        items: { type: 'array', items: reference(object) },
        metadata: metadataOf(
          'ListMeta',
          "Standard list's metadata: its version, and where its next part begins.",
        ),
      },
      ...ofKind(listKind),
    },
  };
  return { object, list, schemas };
}

/** The words as they are; a number or a text is told of as upstream tells of it. */
function published(words: JSONSchemaProps): JsonObject {
  const shown = mapParts(words as unknown as JsonObject, (part) => published(part as JSONSchemaProps));
  if (!words['x-kubernetes-int-or-string'] || words.anyOf || words.allOf) return shown;
  return { ...shown, anyOf: [{ type: 'integer' }, { type: 'string' }] };
}

const parts = new Set(['items', 'additionalProperties', 'not']);
const lists = new Set(['allOf', 'anyOf', 'oneOf']);

/** The schema with each schema directly in it as `change` makes it. */
function mapParts(schema: JsonObject, change: (part: JsonObject) => JsonObject): JsonObject {
  const result: JsonObject = {};
  for (const [word, value] of Object.entries(schema)) setOwn(result, word, mapped(word, value, change));
  return result;
}

function mapped(word: string, value: JsonValue, change: (part: JsonObject) => JsonObject): JsonValue {
  if (parts.has(word) && isJsonObject(value)) return change(value);
  if (lists.has(word) && Array.isArray(value)) return value.map((part) => change(part as JsonObject));
  if (word !== 'properties' || !isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, change(part as JsonObject)]));
}

const words2 = new Set([
  ...['$ref', 'type', 'format', 'title', 'description', 'properties', 'items', 'required', 'enum', 'allOf'],
  ...['additionalProperties', 'pattern', 'maxLength', 'minLength', 'maxItems', 'minItems', 'uniqueItems'],
  ...['maximum', 'exclusiveMaximum', 'minimum', 'exclusiveMinimum', 'multipleOf'],
  ...['maxProperties', 'minProperties'],
]);
const kindWord = 'x-kubernetes-group-version-kind';

/** What version 2 can say of a component: no conditions, and no type where it would have two. */
export function swaggerComponent(schema: JsonObject): JsonObject {
  // As upstream: kubectl would complain of every field that is not said of an object that may have any.
  if (schema[kindWord] !== undefined && schema['x-kubernetes-preserve-unknown-fields'] === true)
    return { type: 'object', [kindWord]: schema[kindWord] };
  const isFree =
    schema['nullable'] === true ||
    schema['x-kubernetes-preserve-unknown-fields'] === true ||
    schema['x-kubernetes-int-or-string'] === true;
  const said = Object.entries(schema).filter(([word, value]) => {
    if (word === 'additionalProperties') return isJsonObject(value);
    if (word === 'allOf') return isReference(value);
    if (isFree && ['type', 'format', 'properties', 'items', 'required', 'enum'].includes(word)) return false;
    return words2.has(word) || word.startsWith('x-kubernetes-');
  });
  return mapParts(Object.fromEntries(said), (part) => swaggerComponent(part));
}

const isReference = (value: JsonValue) =>
  Array.isArray(value) && value.length === 1 && isJsonObject(value[0]) && Object.hasOwn(value[0], '$ref');

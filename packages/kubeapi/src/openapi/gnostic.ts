/**
 * OpenAPI v2 in protobuf: JSON → `openapi.v2.Document` of gnostic (github.com/google/gnostic-models,
 * openapiv2/OpenAPIv2.proto), whose message shapes and field numbers are tabled here as far as our document goes.
 */
import { exactJson } from '../json/exact-json.ts';
import { isJsonObject, type JsonObject, type JsonValue, ownValue } from '../json/json-value.ts';
import { wireBytes, wireFixed64, wireVarint } from '../protobuf/reader.ts';
import { ReverseWriter } from '../protobuf/writer.ts';

/** How a JSON value becomes a protobuf one. */
type Shape =
  | 'text'
  | 'flag'
  /** A whole number. */
  | 'count'
  | 'number'
  /** `Any` with the value as YAML, of which JSON is a part. */
  | 'yaml'
  | Message
  /** A message with nothing but the value, which has no layer of its own in JSON. */
  | { wraps: Field }
  /** Parameters come in kinds, told apart by `in`. */
  | { byPlace: Readonly<Record<string, Field>> };

/** A protobuf field. A list in JSON is a repeated field. */
interface Field {
  number: number;
  shape: Shape;
}

interface Message {
  fields: Readonly<Record<string, Field>>;
  /** Keys that are no fixed field: `Named…` messages of name (1) and value (2). */
  named?: Field;
}

const field = (number: number, shape: Shape): Field => ({ number, shape });
const message = (fields: Record<string, Field>, named?: Field): Message =>
  named ? { fields, named } : { fields };
const extensions = (number: number) => field(number, 'yaml');

const schema: Message = { fields: {}, named: extensions(31) };
const namedSchemas = message({}, field(1, schema));
schema.fields = {
  $ref: field(1, 'text'),
  format: field(2, 'text'),
  title: field(3, 'text'),
  description: field(4, 'text'),
  multipleOf: field(6, 'number'),
  maximum: field(7, 'number'),
  exclusiveMaximum: field(8, 'flag'),
  minimum: field(9, 'number'),
  exclusiveMinimum: field(10, 'flag'),
  maxLength: field(11, 'count'),
  minLength: field(12, 'count'),
  pattern: field(13, 'text'),
  maxItems: field(14, 'count'),
  minItems: field(15, 'count'),
  uniqueItems: field(16, 'flag'),
  maxProperties: field(17, 'count'),
  minProperties: field(18, 'count'),
  required: field(19, 'text'),
  enum: field(20, 'yaml'),
  additionalProperties: field(21, { wraps: field(1, schema) }),
  type: field(22, { wraps: field(1, 'text') }),
  items: field(23, { wraps: field(1, schema) }),
  properties: field(25, namedSchemas),
};

/** Query and path parameters number their fields alike up to the name; a path parameter has no `allowEmptyValue`. */
const plainParameter = { required: field(1, 'flag'), in: field(2, 'text'), description: field(3, 'text') };
const query = message({
  ...plainParameter,
  name: field(4, 'text'),
  type: field(6, 'text'),
  uniqueItems: field(20, 'flag'),
});
const path = message({
  ...plainParameter,
  name: field(4, 'text'),
  type: field(5, 'text'),
  uniqueItems: field(19, 'flag'),
});
const body = message({
  description: field(1, 'text'),
  name: field(2, 'text'),
  in: field(3, 'text'),
  required: field(4, 'flag'),
  schema: field(5, schema),
});
const parameter: Shape = {
  byPlace: {
    body: field(1, body),
    query: field(2, { wraps: field(3, query) }),
    path: field(2, { wraps: field(4, path) }),
  },
};
const parameters: Shape = { wraps: field(1, parameter) };

const response = message({ description: field(1, 'text'), schema: field(2, { wraps: field(1, schema) }) });
const operation = message(
  {
    description: field(3, 'text'),
    produces: field(6, 'text'),
    consumes: field(7, 'text'),
    parameters: field(8, parameters),
    responses: field(9, message({}, field(1, { wraps: field(1, response) }))),
  },
  extensions(13),
);
const pathItem = message({
  get: field(2, operation),
  put: field(3, operation),
  post: field(4, operation),
  delete: field(5, operation),
  patch: field(8, operation),
  parameters: field(9, parameters),
});
const document = message({
  swagger: field(1, 'text'),
  info: field(2, message({ title: field(1, 'text'), version: field(2, 'text') })),
  paths: field(8, message({}, field(2, pathItem))),
  definitions: field(9, namedSchemas),
});

/** Encodes a version 2 document. Throws on what the tables above don't know: a mistake of ours. */
export function encodeSwagger(swagger: JsonObject): Uint8Array {
  const writer = new ReverseWriter();
  writeMessage(writer, swagger, document);
  return writer.finish();
}

/** Writes a message's fields, last first. */
function writeMessage(writer: ReverseWriter, object: JsonObject, { fields, named }: Message): void {
  for (const [key, value] of Object.entries(object).reverse()) {
    const known = ownValue(fields, key);
    if (known) writeField(writer, value, known);
    else if (named) writeNamed(writer, { key, value, named });
    else throw new Error(`OpenAPI v2 in protobuf: no field number for "${key}"`);
  }
}

function writeField(writer: ReverseWriter, value: JsonValue, { number, shape }: Field): void {
  if (Array.isArray(value)) for (const item of value.toReversed()) writeOne(writer, item, { number, shape });
  else writeOne(writer, value, { number, shape });
}

function writeNamed(
  writer: ReverseWriter,
  { key, value, named }: { key: string; value: JsonValue; named: Field },
): void {
  const before = writer.length;
  writeOne(writer, value, { number: 2, shape: named.shape });
  writeText(writer, 1, key);
  writer.prefix(tag(named.number), before);
}

function writeOne(writer: ReverseWriter, value: JsonValue, { number, shape }: Field): void {
  if (shape === 'text') {
    writeText(writer, number, typeof value === 'string' ? value : exactJson(value));
    return;
  }
  if (shape === 'flag') {
    writer.uint32(value ? 1 : 0);
    writer.uint32((number << 3) | wireVarint);
    return;
  }
  if (shape === 'count') {
    writer.int64(typeof value === 'number' ? Math.trunc(value) : 0);
    writer.uint32((number << 3) | wireVarint);
    return;
  }
  if (shape === 'number') {
    writer.double(typeof value === 'number' ? value : 0);
    writer.uint32((number << 3) | wireFixed64);
    return;
  }
  const before = writer.length;
  if (shape === 'yaml') writeText(writer, 2, `${JSON.stringify(value)}\n`);
  else if ('wraps' in shape) writeField(writer, value, shape.wraps);
  else if (!isJsonObject(value))
    throw new Error(`OpenAPI v2 in protobuf: ${JSON.stringify(value)} is no object`);
  else if ('byPlace' in shape) writeOne(writer, value, ownValue(shape.byPlace, value['in'] as string)!);
  else writeMessage(writer, value, shape);
  writer.prefix(tag(number), before);
}

function writeText(writer: ReverseWriter, number: number, value: string): void {
  writer.text(value);
  writer.uint32(tag(number));
}

const tag = (number: number) => (number << 3) | wireBytes;

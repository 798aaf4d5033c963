/** Protobuf → the JSON form of an object, driven by the schema. */

import { parseExactJson } from '../json/exact-json.ts';
import { isJsonObject, type JsonObject, type JsonValue, ownValue, setOwn } from '../json/json-value.ts';
import { nestingDepthMax } from '../limits.ts';
import { alternativeOfMessage } from '../schema/alternative.ts';
import { isLeftOut, zeroOf } from '../schema/conform.ts';
import type { FieldSchema, MessageSchema } from '../schema/schema.ts';
import { messageSchema, schemaFor } from '../schema/schema.ts';
import { decodeScalarBytes, readDocument } from './decode-scalar.ts';
import { isProtobufBody, openEnvelope } from './envelope.ts';
import { ProtobufError, ProtobufReader, wireBytes, wireFixed64, wireVarint } from './reader.ts';

/** Decodes one message; unknown fields are passed over, always-printed ones are filled in. Throws ProtobufError. */
export function decodeMessage(bytes: Uint8Array, schema: MessageSchema): JsonObject {
  return decodeAt(bytes, schema, 0);
}

/**
 * An object from its envelope, with `apiVersion` and `kind`. `readAs` names the version whose messages it is made of, if that
 * is not its own; the object is of that one. Throws {@link ProtobufError}.
 */
export function decodeProtobuf(
  bytes: Uint8Array,
  readAs: (apiVersion: string, kind: string) => string = asTold,
): JsonObject {
  return decodeObject(bytes, 0, readAs);
}

const asTold = (apiVersion: string) => apiVersion;

function decodeObject(
  bytes: Uint8Array,
  depth: number,
  readAs: (apiVersion: string, kind: string) => string = asTold,
): JsonObject {
  const { apiVersion: told, kind, raw } = openEnvelope(bytes);
  const apiVersion = readAs(told, kind);
  const schema = schemaFor(apiVersion, kind);
  if (!schema) throw new ProtobufError(`no kind "${kind}" is registered for version "${apiVersion}"`);
  return { kind, apiVersion, ...decodeAt(raw, schema, depth) };
}

function decodeAt(bytes: Uint8Array, schema: MessageSchema, depth: number): JsonObject {
  const reader = new ProtobufReader(bytes);
  const object: JsonObject = {};
  readMessage(reader, reader.bytes.length, planOf(schema), object, depth);
  return object;
}

interface Plan {
  /** Of the message, as upstream's errors say it. */
  name: string;
  byNumber: (FieldSchema | undefined)[];
  /** Fields that print even when the bytes leave them out. */
  filled: FieldSchema[];
}

const plans = new WeakMap<MessageSchema, Plan>();

function planOf(schema: MessageSchema): Plan {
  let plan = plans.get(schema);
  if (!plan) {
    plan = { name: schema.upstreamName, byNumber: [], filled: [] };
    for (const field of schema.fields) if (field.number > 0) plan.byNumber[field.number] = field;
    for (const field of schema.jsonFields.values()) if (zeroOf(field) !== undefined) plan.filled.push(field);
    plans.set(schema, plan);
  }
  return plan;
}

function readMessage(reader: ProtobufReader, end: number, plan: Plan, into: JsonObject, depth: number): void {
  if (depth > nestingDepthMax) throw new ProtobufError('proto: exceeded max depth');
  const outer = reader.end;
  reader.end = end;
  while (reader.position < end) {
    const tag = reader.tag(plan.name);
    const field = plan.byNumber[tag >>> 3];
    if (field) readField(reader, end, field, tag & 7, into, depth);
    else reader.skip(tag & 7, end);
  }
  if (reader.position !== end) throw new ProtobufError('unexpected EOF');
  reader.end = outer;
  for (const field of plan.filled) {
    if (!Object.hasOwn(into, field.name)) setOwn(into, field.name, zeroOf(field)!);
  }
}

function readField(
  reader: ProtobufReader,
  end: number,
  field: FieldSchema,
  wireType: number,
  into: JsonObject,
  depth: number,
): void {
  if (field.shape === 'map') {
    readMapEntry(reader, wireType, end, field, into, depth);
    return;
  }
  if (field.inline && field.message) {
    expectWire(wireType, wireBytes, field);
    readMessage(reader, reader.lengthEnd(end), planOf(messageSchema(field.message)), into, depth + 1);
    return;
  }
  if (field.shape === 'list') {
    readListItems(reader, wireType, end, field, into, depth);
    return;
  }
  const value = readValue(reader, wireType, end, field, depth, ownValue(into, field.name));
  if (value !== undefined && !isLeftOut(value, field)) setOwn(into, field.name, value);
  else delete into[field.name];
}

function readListItems(
  reader: ProtobufReader,
  wireType: number,
  end: number,
  field: FieldSchema,
  into: JsonObject,
  depth: number,
): void {
  const present = ownValue(into, field.name);
  const list: JsonValue[] = Array.isArray(present) ? present : [];
  setOwn(into, field.name, list);
  const isPacked = wireType === wireBytes && isVarint(field);
  if (!isPacked) {
    list.push(readValue(reader, wireType, end, field, depth) ?? null);
    return;
  }
  const packedEnd = reader.lengthEnd(end);
  while (reader.position < packedEnd)
    list.push(readValue(reader, wireVarint, packedEnd, field, depth) ?? null);
}

const isVarint = ({ scalar }: FieldSchema) => scalar === 'bool' || scalar === 'int32' || scalar === 'int64';

function readMapEntry(
  reader: ProtobufReader,
  wireType: number,
  end: number,
  field: FieldSchema,
  into: JsonObject,
  depth: number,
): void {
  expectWire(wireType, wireBytes, field);
  const entryEnd = reader.lengthEnd(end);
  let key = '';
  let value: JsonValue | undefined;
  while (reader.position < entryEnd) {
    const tag = reader.tag(field.name);
    if (tag >>> 3 === 1) key = reader.text(reader.lengthEnd(entryEnd));
    else if (tag >>> 3 === 2) value = readValue(reader, tag & 7, entryEnd, field, depth);
    else reader.skip(tag & 7, entryEnd);
  }
  value ??= field.message
    ? decodeMessage(new Uint8Array(0), messageSchema(field.message))
    : emptyValue(field);
  const present = ownValue(into, field.name);
  const map = isJsonObject(present) ? present : {};
  setOwn(into, field.name, map);
  setOwn(map, key, value);
}

function emptyValue(field: FieldSchema): JsonValue {
  if (field.scalar === 'Time' || field.scalar === 'MicroTime') return null;
  return field.scalar === 'Strings' ? [] : field.scalar === 'Quantity' ? '0' : '';
}

function readValue(
  reader: ProtobufReader,
  wireType: number,
  end: number,
  field: FieldSchema,
  depth: number,
  before?: JsonValue,
): JsonValue | undefined {
  if (field.message !== undefined) {
    expectWire(wireType, wireBytes, field);
    // Parts of a message that stand one behind the other are one message.
    const value: JsonObject = isJsonObject(before) ? before : {};
    const schema = messageSchema(field.message);
    readMessage(reader, reader.lengthEnd(end), planOf(schema), value, depth + 1);
    return schema.alternative ? alternativeOfMessage(value, schema.alternative) : value;
  }
  const scalar = field.scalar!;
  switch (scalar) {
    case 'string':
      expectWire(wireType, wireBytes, field);
      return reader.text(reader.lengthEnd(end));
    case 'bool':
      expectWire(wireType, wireVarint, field);
      return reader.bool();
    case 'int32':
      expectWire(wireType, wireVarint, field);
      return reader.int32();
    case 'int64':
      expectWire(wireType, wireVarint, field);
      return reader.int64();
    case 'double':
      expectWire(wireType, wireFixed64, field);
      return reader.double();
    case 'RawExtension':
    case 'FieldsV1':
      expectWire(wireType, wireBytes, field);
      return decodeDocument(readDocument(reader, reader.lengthEnd(end), scalar), depth);
    case 'Any':
      expectWire(wireType, wireBytes, field);
      return decodeJson(readDocument(reader, reader.lengthEnd(end), 'JSON'));
    default:
      expectWire(wireType, wireBytes, field);
      return decodeScalarBytes(reader, reader.lengthEnd(end), scalar);
  }
}

/** What a RawExtension holds: JSON text, or an object in an envelope. */
function decodeDocument(bytes: Buffer | undefined, depth: number): JsonValue | undefined {
  if (!bytes || bytes.length === 0) return undefined;
  if (isProtobufBody(bytes)) return decodeObject(bytes, depth + 1);
  try {
    const value: JsonValue = parseExactJson(bytes.toString());
    return isJsonObject(value) ? value : undefined;
  } catch (cause) {
    throw new ProtobufError('embedded object is neither JSON nor protobuf', { cause });
  }
}

/** Any value, as JSON text. */
function decodeJson(bytes: Buffer | undefined): JsonValue | undefined {
  if (!bytes || bytes.length === 0) return undefined;
  try {
    return parseExactJson(bytes.toString());
  } catch (cause) {
    throw new ProtobufError('embedded value is not JSON', { cause });
  }
}

/** What upstream's errors call it, as far as that can be told. */
const goNameOf = ({ name }: FieldSchema) =>
  name === 'metadata' ? 'ObjectMeta' : `${name.charAt(0).toUpperCase()}${name.slice(1)}`;

function expectWire(actual: number, expected: number, field: FieldSchema): void {
  if (actual !== expected)
    throw new ProtobufError(`proto: wrong wireType = ${actual} for field ${goNameOf(field)}`);
}

/** The JSON form of an object → protobuf, driven by the schema. Zero values of non-pointers are left out. */
import { isJsonObject, type JsonObject, type JsonValue, ownValue } from '../json/json-value.ts';
import { messageOfAlternative } from '../schema/alternative.ts';
import type { FieldSchema, MessageSchema } from '../schema/schema.ts';
import { messageSchema } from '../schema/schema.ts';
import { encodeScalar } from './encode-scalar.ts';
import { ProtobufError, wireBytes, wireFixed64, wireVarint } from './reader.ts';
import { ReverseWriter } from './writer.ts';

/** Encodes one message without an envelope. Throws ProtobufError when a value has not the schema's type. */
export function encodeMessage(object: object, schema: MessageSchema): Uint8Array {
  const writer = new ReverseWriter();
  writeMessage(writer, object as JsonObject, schema);
  return writer.finish();
}

/** Writes a message's fields, last first. */
export function writeMessage(writer: ReverseWriter, object: JsonObject, schema: MessageSchema): void {
  const { wireFields } = schema;
  for (let index = wireFields.length - 1; index >= 0; index--) {
    const field = wireFields[index]!;
    if (field.inline && field.message) {
      writeInline(writer, object, field);
      continue;
    }
    const value = ownValue(object, field.name);
    if (value === undefined || value === null) continue;
    if (field.shape === 'list') writeList(writer, value, field);
    else if (field.shape === 'map') writeMap(writer, value, field);
    else if (field.pointer || !isZero(value, field)) writeValue(writer, value, field, field.number);
  }
}

const isZero = (value: JsonValue, { scalar }: FieldSchema) =>
  value === false || ((value === '' || value === 0) && scalar !== 'IntOrString' && scalar !== 'bytes');

function writeInline(writer: ReverseWriter, object: JsonObject, field: FieldSchema): void {
  const before = writer.length;
  writeMessage(writer, object, messageSchema(field.message!));
  if (writer.length > before) writer.prefix((field.number << 3) | wireBytes, before);
}

function writeList(writer: ReverseWriter, value: JsonValue, field: FieldSchema): void {
  if (!Array.isArray(value)) throw wrongType(field, 'a list');
  for (let index = value.length - 1; index >= 0; index--)
    writeValue(writer, value[index]!, field, field.number);
}

function writeMap(writer: ReverseWriter, value: JsonValue, field: FieldSchema): void {
  if (!isJsonObject(value)) throw wrongType(field, 'a map');
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  for (let index = entries.length - 1; index >= 0; index--) {
    const [key, item] = entries[index]!;
    const before = writer.length;
    if (item === null) writer.prefix((2 << 3) | wireBytes, writer.length);
    else writeValue(writer, item, field, 2);
    writer.text(key);
    writer.uint32((1 << 3) | wireBytes);
    writer.prefix((field.number << 3) | wireBytes, before);
  }
}

function writeValue(writer: ReverseWriter, value: JsonValue, field: FieldSchema, number: number): void {
  if (field.message !== undefined) {
    const schema = messageSchema(field.message);
    const object = schema.alternative ? messageOfAlternative(value, schema.alternative) : value;
    if (!isJsonObject(object)) throw wrongType(field, 'an object');
    const before = writer.length;
    writeMessage(writer, object, schema);
    writer.prefix((number << 3) | wireBytes, before);
    return;
  }
  switch (field.scalar!) {
    case 'string':
      if (typeof value !== 'string') throw wrongType(field, 'a string');
      writer.text(value);
      writer.uint32((number << 3) | wireBytes);
      return;
    case 'bool':
      if (typeof value !== 'boolean') throw wrongType(field, 'a boolean');
      writer.uint32(value ? 1 : 0);
      writer.uint32((number << 3) | wireVarint);
      return;
    case 'int32':
    case 'int64':
      if (!Number.isSafeInteger(value)) throw wrongType(field, 'a whole number');
      writer.int64(value as number);
      writer.uint32((number << 3) | wireVarint);
      return;
    case 'double':
      if (typeof value !== 'number') throw wrongType(field, 'a number');
      writer.double(value);
      writer.uint32((number << 3) | wireFixed64);
      return;
    default: {
      const before = writer.length;
      encodeScalar(writer, value, field);
      writer.prefix((number << 3) | wireBytes, before);
      return;
    }
  }
}

function wrongType(field: FieldSchema, expected: string): ProtobufError {
  return new ProtobufError(`field "${field.name}" must be ${expected} to be written as protobuf`);
}

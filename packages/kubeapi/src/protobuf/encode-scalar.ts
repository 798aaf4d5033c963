/** The types that are strings or documents in JSON and small messages in protobuf, on their way out. */

import { exactJson } from '../json/exact-json.ts';
import type { JsonValue } from '../json/json-value.ts';
import type { FieldSchema } from '../schema/schema.ts';
import { parseDurationMs } from '../values/duration.ts';
import { parseMoment } from '../values/time.ts';
import { ProtobufError, wireBytes, wireVarint } from './reader.ts';
import type { ReverseWriter } from './writer.ts';

const tag = (number: number, wireType: number) => (number << 3) | wireType;

/** Writes the value's bytes, without tag and length. */
export function encodeScalar(writer: ReverseWriter, value: JsonValue, field: FieldSchema): void {
  switch (field.scalar) {
    case 'bytes':
      writer.raw(Buffer.from(text(value, field), 'base64'));
      return;
    case 'Time':
    case 'MicroTime':
      writeMoment(writer, text(value, field), field);
      return;
    case 'Quantity':
      writer.text(typeof value === 'number' ? String(value) : text(value, field));
      writer.uint32(tag(1, wireBytes));
      return;
    case 'Duration':
      writer.int64(Math.round(parseDurationMs(text(value, field)) * 1e6));
      writer.uint32(tag(1, wireVarint));
      return;
    case 'IntOrString':
      writeIntOrString(writer, value, field);
      return;
    case 'Strings':
      writeStrings(writer, value, field);
      return;
    default: {
      const before = writer.length;
      writer.raw(Buffer.from(exactJson(value)));
      writer.prefix(tag(1, wireBytes), before);
    }
  }
}

function text(value: JsonValue, field: FieldSchema): string {
  if (typeof value !== 'string')
    throw new ProtobufError(`field "${field.name}" must be a string to be written as protobuf`);
  return value;
}

function writeMoment(writer: ReverseWriter, value: string, field: FieldSchema): void {
  const moment = parseMoment(value);
  if (!moment)
    throw new ProtobufError(`field "${field.name}" must be an RFC 3339 time, not ${JSON.stringify(value)}`);
  if (field.scalar === 'MicroTime' && moment.micros > 0) {
    writer.uint32(moment.micros * 1000);
    writer.uint32(tag(2, wireVarint));
  }
  writer.int64(moment.seconds);
  writer.uint32(tag(1, wireVarint));
}

function writeIntOrString(writer: ReverseWriter, value: JsonValue, field: FieldSchema): void {
  if (typeof value === 'string') {
    writer.text(value);
    writer.uint32(tag(3, wireBytes));
    writer.uint32(1);
    writer.uint32(tag(1, wireVarint));
    return;
  }
  if (typeof value !== 'number')
    throw new ProtobufError(`field "${field.name}" must be a text or a number to be written as protobuf`);
  writer.int64(value);
  writer.uint32(tag(2, wireVarint));
}

function writeStrings(writer: ReverseWriter, value: JsonValue, field: FieldSchema): void {
  if (!Array.isArray(value))
    throw new ProtobufError(`field "${field.name}" must be a list to be written as protobuf`);
  for (let index = value.length - 1; index >= 0; index--) {
    writer.text(text(value[index] ?? null, field));
    writer.uint32(tag(1, wireBytes));
  }
}

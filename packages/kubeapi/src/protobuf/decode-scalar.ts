/** The types that are strings or documents in JSON and small messages in protobuf. */
import type { JsonValue } from '../json/json-value.ts';
import { formatDurationMs } from '../values/duration.ts';
import { canonicalQuantity, QuantityError } from '../values/quantity.ts';
import { formatMicroTime, formatTime } from '../values/time.ts';
import { ProtobufError, type ProtobufReader, wireBytes, wireVarint } from './reader.ts';

/** The types of which JSON makes one value where protobuf has bytes or a message. */
type PackedType = 'bytes' | 'Time' | 'MicroTime' | 'Quantity' | 'IntOrString' | 'Duration' | 'Strings';

/** Reads the value that ends at `end`; undefined for an unset time. */
export function decodeScalarBytes(
  reader: ProtobufReader,
  end: number,
  type: PackedType,
): JsonValue | undefined {
  const outer = reader.end;
  reader.end = end;
  const value = readPacked(reader, end, type);
  reader.end = outer;
  return value;
}

function readPacked(reader: ProtobufReader, end: number, type: PackedType): JsonValue | undefined {
  switch (type) {
    case 'bytes':
      return readBytes(reader, end).toString('base64');
    case 'Time':
      return readMoment(reader, end, (seconds) => formatTime(seconds));
    case 'MicroTime':
      return readMoment(reader, end, (seconds, nanos) =>
        formatMicroTime({ seconds, micros: Math.floor(nanos / 1000) }),
      );
    case 'Quantity':
      return readQuantity(reader, end);
    case 'IntOrString':
      return readIntOrString(reader, end);
    case 'Duration':
      return formatDurationMs((readSmall(reader, end, 'Duration').numbers[1] ?? 0) / 1e6);
    case 'Strings':
      return readStrings(reader, end);
  }
}

function readBytes(reader: ProtobufReader, end: number): Buffer {
  const bytes = reader.bytes.subarray(reader.position, end);
  reader.position = end;
  return bytes;
}

/** Numbers and texts of a message that has no others, by field number. */
function readSmall(
  reader: ProtobufReader,
  end: number,
  name: string,
): { numbers: number[]; texts: string[] } {
  const numbers: number[] = [];
  const texts: string[] = [];
  while (reader.position < end) {
    const tag = reader.tag(name);
    if ((tag & 7) === wireVarint && tag >>> 3 < 4) numbers[tag >>> 3] = reader.int64();
    else if ((tag & 7) === wireBytes && tag >>> 3 < 4) texts[tag >>> 3] = reader.text(reader.lengthEnd(end));
    else reader.skip(tag & 7, end);
  }
  return { numbers, texts };
}

function readMoment(
  reader: ProtobufReader,
  end: number,
  format: (seconds: number, nanos: number) => string,
): string | undefined {
  if (reader.position === end) return undefined;
  const { numbers } = readSmall(reader, end, 'Timestamp');
  const seconds = numbers[1] ?? 0;
  if (seconds < -62135596800 || seconds > 253402300799)
    throw new ProtobufError('time outside of the years 1 to 9999');
  return format(seconds, numbers[2] ?? 0);
}

function readQuantity(reader: ProtobufReader, end: number): string {
  const text = readSmall(reader, end, 'Quantity').texts[1] ?? '';
  if (text === '') return '0';
  try {
    return canonicalQuantity(text);
  } catch (error) {
    if (error instanceof QuantityError) throw new ProtobufError(error.message, { cause: error });
    throw error;
  }
}

const typeIsString = 1;

function readIntOrString(reader: ProtobufReader, end: number): number | string {
  const { numbers, texts } = readSmall(reader, end, 'IntOrString');
  return numbers[1] === typeIsString ? (texts[3] ?? '') : (numbers[2] ?? 0) | 0;
}

function readStrings(reader: ProtobufReader, end: number): string[] {
  const items: string[] = [];
  while (reader.position < end) {
    const tag = reader.tag('Strings');
    if (tag >>> 3 === 1 && (tag & 7) === wireBytes) items.push(reader.text(reader.lengthEnd(end)));
    else reader.skip(tag & 7, end);
  }
  return items;
}

/** Reads the bytes of a document that ends at `end`, in a message of that name: JSON text or an object in an envelope. */
export function readDocument(reader: ProtobufReader, end: number, name: string): Buffer | undefined {
  while (reader.position < end) {
    const tag = reader.tag(name);
    if (tag >>> 3 !== 1 || (tag & 7) !== wireBytes) {
      reader.skip(tag & 7, end);
      continue;
    }
    const document = readBytes(reader, reader.lengthEnd(end));
    reader.position = end;
    return document;
  }
  return undefined;
}

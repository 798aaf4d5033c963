/**
 * Protobuf for messages of a schema, compiled when first met: https://protobuf.dev/programming-guides/encoding/.
 * Absent scalars read as their zero value, absent messages as undefined; unknown fields are skipped.
 */
import type { Long, Reader, Writer } from 'protobufjs';
import protobuf from 'protobufjs/minimal.js';
import { type Message, ownValue, setOwn } from './own-keys.ts';
import type { FieldSchema, MessageSchema } from './schema.ts';

type ReadValue = (reader: Reader) => unknown;
type WriteValue = (writer: Writer, id: number, value: unknown) => void;

interface Codec {
  zero: () => Message;
  read: (reader: Reader, end: number) => Message;
  write: (writer: Writer, message: Message) => void;
}

interface Scalar {
  zero: unknown;
  wireType: number;
  read: ReadValue;
  write: (writer: Writer, value: never) => void;
}

const scalarTypes: Record<string, Scalar> = {
  string: { zero: '', wireType: 2, read: (r) => r.string(), write: (w, v: string) => w.string(v) },
  bytes: {
    zero: new Uint8Array(0),
    wireType: 2,
    read: (r) => r.bytes(),
    write: (w, v: Uint8Array) => w.bytes(v),
  },
  bool: { zero: false, wireType: 0, read: (r) => r.bool(), write: (w, v: boolean) => w.bool(v) },
  enum: { zero: 0, wireType: 0, read: (r) => r.int32(), write: (w, v: number) => w.int32(v) },
  int32: { zero: 0, wireType: 0, read: (r) => r.int32(), write: (w, v: number) => w.int32(v) },
  uint32: { zero: 0, wireType: 0, read: (r) => r.uint32(), write: (w, v: number) => w.uint32(v) },
  int64: {
    zero: 0,
    wireType: 0,
    read: (r) => numberOf(r.int64()),
    write: (w, v: number) => w.int64(integer(v)),
  },
  uint64: {
    zero: 0,
    wireType: 0,
    read: (r) => numberOf(r.uint64()),
    write: (w, v: number) => w.uint64(integer(v)),
  },
  'int64:bigint': {
    zero: 0n,
    wireType: 0,
    read: (r) => bigintOf(r.int64()),
    write: (w, v: bigint) => w.int64(halvesOf(v)),
  },
  double: { zero: 0, wireType: 1, read: (r) => r.double(), write: (w, v: number) => w.double(v) },
};
const scalars = new Map(Object.entries(scalarTypes));

// By halves: as text, which its own conversions go through, a time in nanoseconds takes ten times as long.
function numberOf(value: number | Long): number {
  if (typeof value === 'number') return value;
  return (value.unsigned ? value.high >>> 0 : value.high) * 2 ** 32 + (value.low >>> 0);
}

function bigintOf(value: number | Long): bigint {
  if (typeof value === 'number') return BigInt(value);
  return (BigInt(value.high) << 32n) | BigInt(value.low >>> 0);
}

function halvesOf(value: bigint): Long {
  const [low, high] = [Number(BigInt.asIntN(32, value)), Number(BigInt.asIntN(32, value >> 32n))];
  return { low, high, unsigned: false } as Long;
}

function integer(value: number) {
  return Number.isSafeInteger(value) ? value : BigInt(Math.trunc(value)).toString();
}

/** The codec of each message, made when first asked for. */
type Codecs = (name: string) => Codec;

function codecsOf(messages: Readonly<Record<string, MessageSchema>>): Codecs {
  const schemas = new Map(Object.entries(messages));
  const codecs = new Map<string, Codec>();
  const codecOf: Codecs = (name) => {
    let codec = codecs.get(name);
    if (!codec) {
      const fields = schemas.get(name);
      if (!fields) throw new Error(`the schema has no message "${name}"`);
      codec = compile(fields, codecOf);
      codecs.set(name, codec);
    }
    return codec;
  };
  return codecOf;
}

const mapEntry = (key: string, value: unknown) => ({ key, value });

function compile(fields: readonly FieldSchema[], codecOf: Codecs): Codec {
  const readers = new Map<number, (reader: Reader, tag: number, into: Message) => void>();
  const writers: ((writer: Writer, message: Message) => void)[] = [];
  for (const field of fields) {
    readers.set(field[0], fieldReader(field, codecOf));
    writers.push(fieldWriter(field, codecOf));
  }
  const blank: Message = {};
  for (const [, name, type, shape] of fields)
    if (shape !== 'single' || scalars.has(type)) setOwn(blank, name, scalars.get(type)?.zero);
  const lists = fields.filter(([, , , shape]) => shape === 'repeated').map(([, name]) => name);
  const maps = fields.filter(([, , , shape]) => shape.startsWith('map:')).map(([, name]) => name);
  const zero = () => {
    const message = { ...blank };
    for (const name of lists) setOwn(message, name, []);
    for (const name of maps) setOwn(message, name, {});
    return message;
  };
  return {
    zero,
    read(reader, end) {
      const message = zero();
      while (reader.pos < end) {
        const tag = reader.uint32();
        const read = readers.get(tag >>> 3);
        if (read) read(reader, tag, message);
        else reader.skipType(tag & 7);
      }
      return message;
    },
    write: (writer, message) => {
      for (const write of writers) write(writer, message);
    },
  };
}

function fieldReader([, name, type, shape]: FieldSchema, codecOf: Codecs) {
  const read = valueReader(type, codecOf);
  const scalar = scalars.get(type);
  if (shape.startsWith('map:')) {
    const hasNumbers = shape === 'map:int32';
    return (reader: Reader, _tag: number, into: Message) => {
      const entry = readEntry(reader, { read, zero: scalar?.zero, hasNumbers });
      setOwn(ownValue(into, name) as Message, entry.key, entry.value);
    };
  }
  if (shape === 'single') {
    return (reader: Reader, _tag: number, into: Message) => {
      setOwn(into, name, read(reader));
    };
  }
  return (reader: Reader, tag: number, into: Message) => {
    const list = ownValue(into, name) as unknown[];
    const isPacked = (tag & 7) === 2 && scalar !== undefined && scalar.wireType !== 2;
    if (!isPacked) return void list.push(read(reader));
    const end = reader.uint32() + reader.pos;
    while (reader.pos < end) list.push(read(reader));
  };
}

function readEntry(
  reader: Reader,
  { read, zero, hasNumbers }: { read: ReadValue; zero: unknown; hasNumbers: boolean },
) {
  const end = reader.uint32() + reader.pos;
  const entry = mapEntry(hasNumbers ? '0' : '', zero);
  while (reader.pos < end) {
    const tag = reader.uint32();
    if (tag >>> 3 === 1) entry.key = hasNumbers ? String(reader.int32()) : reader.string();
    else if (tag >>> 3 === 2) entry.value = read(reader);
    else reader.skipType(tag & 7);
  }
  return entry;
}

function valueReader(type: string, codecOf: Codecs): ReadValue {
  const scalar = scalars.get(type);
  if (scalar) return scalar.read;
  let codec: Codec | undefined;
  return (reader) => {
    const length = reader.uint32();
    codec ??= codecOf(type);
    return codec.read(reader, reader.pos + length);
  };
}

function valueWriter(type: string, codecOf: Codecs): WriteValue {
  const scalar = scalars.get(type);
  if (scalar) {
    return (writer, id, value) => scalar.write(writer.uint32((id << 3) | scalar.wireType), value as never);
  }
  let codec: Codec | undefined;
  return (writer, id, value) => {
    codec ??= codecOf(type);
    codec.write(writer.uint32((id << 3) | 2).fork(), value as Message);
    writer.ldelim();
  };
}

function fieldWriter([id, name, type, shape]: FieldSchema, codecOf: Codecs) {
  const write = valueWriter(type, codecOf);
  const scalar = scalars.get(type);
  if (shape === 'repeated') {
    return (writer: Writer, message: Message) => {
      const list = ownValue(message, name) as unknown[] | undefined;
      if (!list?.length) return;
      if (!scalar || scalar.wireType === 2) {
        for (const value of list) write(writer, id, value);
        return;
      }
      writer.uint32((id << 3) | 2).fork();
      for (const value of list) scalar.write(writer, value as never);
      writer.ldelim();
    };
  }
  if (shape.startsWith('map:')) {
    return (writer: Writer, message: Message) => {
      for (const [key, value] of Object.entries((ownValue(message, name) as Message | undefined) ?? {})) {
        writer.uint32((id << 3) | 2).fork();
        if (shape === 'map:int32') writer.uint32(8).int32(Number(key));
        else writer.uint32(10).string(key);
        write(writer, 2, value);
        writer.ldelim();
      }
    };
  }
  return (writer: Writer, message: Message) => {
    const value = ownValue(message, name);
    if (value === undefined || value === null) return;
    if (scalar && (value === scalar.zero || (value as { length?: number }).length === 0)) return;
    write(writer, id, value);
  };
}

/** Messages of one schema on the wire. */
export interface MessageCodec {
  /** Encodes a message of that name; absent fields are left out. */
  encode(name: string, message: object): Buffer;
  /** Decodes a message of that name. Throws `RangeError` on a truncated or malformed one. */
  decode(name: string, bytes: Uint8Array): Message;
}

/** The codec of a schema's messages. */
export function messageCodec(messages: Readonly<Record<string, MessageSchema>>): MessageCodec {
  const codecOf = codecsOf(messages);
  return {
    encode(name, message) {
      const writer = protobuf.Writer.create();
      codecOf(name).write(writer, message as Message);
      const { buffer, byteOffset, byteLength } = writer.finish();
      return Buffer.from(buffer, byteOffset, byteLength);
    },
    decode(name, bytes) {
      const reader = protobuf.Reader.create(bytes);
      const message = codecOf(name).read(reader, reader.len);
      if (reader.pos !== reader.len)
        throw new RangeError(`${name}: a field runs past the end of its message`);
      return message;
    },
  };
}

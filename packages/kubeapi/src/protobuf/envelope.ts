/** The envelope of protobuf bodies: the magic `k8s\0`, then runtime.Unknown with the kind and the object's bytes. */
import { isJsonObject, type JsonObject, type JsonValue } from '../json-value.ts';
import { formatApiVersion, parseApiVersion } from '../resources.ts';
import { type MessageSchema, schemaOfKind } from '../schema.ts';
import { decodeMessage } from './decode.ts';
import { encodeMessage, writeMessage } from './encode.ts';
import { ProtobufError, ProtobufReader, wireBytes } from './reader.ts';
import { ReverseWriter } from './writer.ts';

/** The first four bytes of every protobuf body. */
export const protobufMagic: Uint8Array = Buffer.from('k8s\0');

/** What an envelope says. */
export interface Envelope {
  apiVersion: string;
  kind: string;
  /** The object's own message. */
  raw: Uint8Array;
  contentEncoding: string;
  contentType: string;
}

/** True when the bytes begin with the magic. */
export function isProtobufBody(bytes: Uint8Array): boolean {
  return bytes.length >= 4 && protobufMagic.every((byte, index) => bytes[index] === byte);
}

/** Opens an envelope. Throws {@link ProtobufError}. */
export function openEnvelope(bytes: Uint8Array): Envelope {
  if (bytes.length === 0) throw new ProtobufError('empty data');
  if (!isProtobufBody(bytes)) {
    throw new ProtobufError(
      'provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]',
    );
  }
  const reader = new ProtobufReader(bytes.subarray(4));
  const end = reader.bytes.length;
  const envelope: Envelope = {
    apiVersion: '',
    kind: '',
    raw: new Uint8Array(0),
    contentEncoding: '',
    contentType: '',
  };
  while (reader.position < end) {
    const tag = reader.uint32();
    if ((tag & 7) !== wireBytes || tag >>> 3 > 4) {
      reader.skip(tag & 7, end);
      continue;
    }
    const valueEnd = reader.lengthEnd(end);
    if (tag >>> 3 === 1) readTypeMeta(reader, valueEnd, envelope);
    else if (tag >>> 3 === 2) envelope.raw = reader.bytes.subarray(reader.position, valueEnd);
    else if (tag >>> 3 === 3) envelope.contentEncoding = reader.text(valueEnd);
    else envelope.contentType = reader.text(valueEnd);
    reader.position = valueEnd;
  }
  return envelope;
}

function readTypeMeta(reader: ProtobufReader, end: number, envelope: Envelope): void {
  while (reader.position < end) {
    const tag = reader.uint32();
    if (tag >>> 3 === 1 && (tag & 7) === wireBytes) envelope.apiVersion = reader.text(reader.lengthEnd(end));
    else if (tag >>> 3 === 2 && (tag & 7) === wireBytes) envelope.kind = reader.text(reader.lengthEnd(end));
    else reader.skip(tag & 7, end);
  }
}

/** The schema of an apiVersion and kind, or undefined. */
export function schemaFor(apiVersion: string, kind: string): MessageSchema | undefined {
  const parsed = parseApiVersion(apiVersion);
  return parsed && schemaOfKind({ ...parsed, kind });
}

/** An object in its envelope; `apiVersion` and `kind` are taken from the object. Throws {@link ProtobufError}. */
export function encodeProtobuf(object: object): Uint8Array {
  const { apiVersion = '', kind = '' } = object as { apiVersion?: string; kind?: string };
  const schema = schemaFor(apiVersion, kind);
  if (!schema) throw new ProtobufError(`no schema for kind "${kind}" of version "${apiVersion}"`);
  const writer = new ReverseWriter();
  // Upstream ends the envelope with empty contentEncoding and contentType; peers read their absence alike.
  writeMessage(writer, object as JsonObject, schema);
  writer.prefix((2 << 3) | wireBytes, 0);
  writeTypeMeta(writer, { apiVersion, kind });
  return writer.finish();
}

/** Items of a list as a part of its message, for {@link encodeProtobufList}. Throws {@link ProtobufError}. */
export function encodeListItems(
  list: { apiVersion: string; kind: string },
  items: readonly object[],
): Uint8Array {
  const schema = schemaFor(list.apiVersion, list.kind);
  if (!schema) throw new ProtobufError(`no schema for kind "${list.kind}" of version "${list.apiVersion}"`);
  return encodeMessage({ items }, schema);
}

/**
 * {@link encodeProtobuf} of a list whose items come as parts: in protobuf, parts of a message that stand one behind the
 * other are the message. `list` has no items of its own.
 */
export function encodeProtobufList(
  list: { apiVersion: string; kind: string },
  parts: readonly Uint8Array[],
): Uint8Array[] {
  const schema = schemaFor(list.apiVersion, list.kind);
  if (!schema) throw new ProtobufError(`no schema for kind "${list.kind}" of version "${list.apiVersion}"`);
  const writer = new ReverseWriter();
  writeMessage(writer, list as unknown as JsonObject, schema);
  writer.uint32(parts.reduce((sum, { length }) => sum + length, writer.length));
  writer.uint32((2 << 3) | wireBytes);
  writeTypeMeta(writer, list);
  return [writer.finish(), ...parts];
}

function writeTypeMeta(
  writer: ReverseWriter,
  { apiVersion, kind }: { apiVersion: string; kind: string },
): void {
  const before = writer.length;
  writer.text(kind);
  writer.uint32((2 << 3) | wireBytes);
  writer.text(apiVersion);
  writer.uint32((1 << 3) | wireBytes);
  writer.prefix((1 << 3) | wireBytes, before);
  writer.raw(protobufMagic);
}

/** An object from its envelope, with `apiVersion` and `kind`. Throws {@link ProtobufError}. */
export function decodeProtobuf(bytes: Uint8Array): JsonObject {
  const envelope = openEnvelope(bytes);
  const schema = schemaFor(envelope.apiVersion, envelope.kind);
  if (!schema) {
    throw new ProtobufError(`no kind "${envelope.kind}" is registered for version "${envelope.apiVersion}"`);
  }
  return withTypeMeta(decodeMessage(envelope.raw, schema), envelope.apiVersion, envelope.kind);
}

function withTypeMeta(object: JsonObject, apiVersion: string, kind: string): JsonObject {
  return { kind, apiVersion, ...object };
}

/** What a RawExtension holds: JSON text, or an object in an envelope. Throws {@link ProtobufError}. */
export function decodeRawObject(bytes: Uint8Array): JsonValue | undefined {
  if (bytes.length === 0) return undefined;
  if (isProtobufBody(bytes)) return decodeProtobuf(bytes);
  try {
    const value: JsonValue = JSON.parse(Buffer.from(bytes).toString());
    return isJsonObject(value) ? value : undefined;
  } catch (cause) {
    throw new ProtobufError('embedded object is neither JSON nor protobuf', { cause });
  }
}

/**
 * One frame of a protobuf watch (`;stream=watch`): a 4-byte length, then a bare WatchEvent whose object is a body
 * with its own envelope.
 */
export function encodeWatchFrame(type: string, object: Uint8Array): Uint8Array {
  const writer = new ReverseWriter();
  writer.raw(object);
  writer.prefix((1 << 3) | wireBytes, 0);
  writer.prefix((2 << 3) | wireBytes, 0);
  writer.text(type);
  writer.uint32((1 << 3) | wireBytes);
  const header = Buffer.alloc(4);
  header.writeUInt32BE(writer.length);
  writer.raw(header);
  return writer.finish();
}

/** `apps` and `v1` as an object carries them. */
export const apiVersionOf = (schema: MessageSchema): string => formatApiVersion(schema.group, schema.version);

/** Objects and lists as protobuf bodies: each message in its envelope. */
import type { JsonObject } from '../json/json-value.ts';
import { schemaFor } from '../schema/schema.ts';
import { encodeMessage, writeMessage } from './encode.ts';
import { writeTypeMeta } from './envelope.ts';
import { ProtobufError, wireBytes } from './reader.ts';
import { ReverseWriter } from './writer.ts';

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

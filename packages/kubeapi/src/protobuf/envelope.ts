/** The envelope of protobuf bodies: the magic `k8s\0`, then runtime.Unknown with the kind and the object's bytes. */
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
  if (bytes.length === protobufMagic.length) throw new ProtobufError('empty body');
  const reader = new ProtobufReader(bytes.subarray(protobufMagic.length));
  const end = reader.bytes.length;
  const envelope: Envelope = {
    apiVersion: '',
    kind: '',
    raw: new Uint8Array(0),
    contentEncoding: '',
    contentType: '',
  };
  while (reader.position < end) {
    const tag = reader.tag('Unknown');
    if (tag >>> 3 > 4) {
      reader.skip(tag & 7, end);
      continue;
    }
    expectBytes(tag, unknownFields);
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
  const outer = reader.end;
  reader.end = end;
  while (reader.position < end) {
    const tag = reader.tag('TypeMeta');
    if (tag >>> 3 > 2) {
      reader.skip(tag & 7, end);
      continue;
    }
    expectBytes(tag, typeMetaFields);
    const text = reader.text(reader.lengthEnd(end));
    if (tag >>> 3 === 1) envelope.apiVersion = text;
    else envelope.kind = text;
  }
  reader.end = outer;
}

const unknownFields = ['TypeMeta', 'Raw', 'ContentEncoding', 'ContentType'];
const typeMetaFields = ['APIVersion', 'Kind'];

function expectBytes(tag: number, names: readonly string[]): void {
  if ((tag & 7) === wireBytes) return;
  throw new ProtobufError(`proto: wrong wireType = ${tag & 7} for field ${names[(tag >>> 3) - 1]}`);
}

/** Puts kind and magic before what an envelope holds. */
export function writeTypeMeta(
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

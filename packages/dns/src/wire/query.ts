import { headerBytes, headerFlags, internetClass, recordTypes, responseCodes } from './codes.ts';
import { foldCase, type Name, readName } from './name.ts';
import { readRecord } from './record.ts';
import { WireError } from './wire-error.ts';

/** What a client says about itself beyond RFC 1035 (RFC 6891). */
export interface Edns {
  payloadBytes: number;
  dnssecOk: boolean;
}

/** A question as it came. */
export interface Query {
  id: number;
  /** The second word of its header. */
  flags: number;
  /** In lower case. */
  name: Name;
  type: number;
  /** The question as it came, letter case included, which has to be repeated; empty where it could not be read. */
  question: Buffer;
  edns: Edns | undefined;
  /** The code it is to be refused with at once. */
  refusal: number | undefined;
}

const any = 255;
/** More records than this in a query are refused unread, as miekg/dns does. */
const recordsMax = { answers: 1, authorities: 1, additionals: 2 };

/** Reads a query; undefined for what must not be answered: a fragment, or an answer. */
export function readQuery(packet: Buffer): Query | undefined {
  if (packet.length < headerBytes) return undefined;
  const flags = packet.readUInt16BE(2);
  if (flags & headerFlags.response) return undefined;
  const query: Query = {
    ...{ id: packet.readUInt16BE(0), flags, name: '', type: 0, question: Buffer.alloc(0) },
    ...{ edns: undefined, refusal: undefined },
  };
  const opcode = (flags >> 11) & 0xf;
  if (opcode !== 0) query.refusal = responseCodes.notImplemented;
  else if (hasStrangeCounts(packet)) query.refusal = responseCodes.formatError;
  else readInto(query, packet);
  return query;
}

function hasStrangeCounts(packet: Buffer): boolean {
  return (
    packet.readUInt16BE(4) !== 1 ||
    packet.readUInt16BE(6) > recordsMax.answers ||
    packet.readUInt16BE(8) > recordsMax.authorities ||
    packet.readUInt16BE(10) > recordsMax.additionals
  );
}

function readInto(query: Query, packet: Buffer): void {
  try {
    const { name, end, isCompressed } = readName(packet, headerBytes);
    // Only the header is before it, and the answer, which repeats the question, has another one.
    if (isCompressed) throw new WireError('a pointer into the header');
    if (end + 4 > packet.length) throw new WireError('the question goes beyond the message');
    query.name = foldCase(name);
    query.type = packet.readUInt16BE(end);
    query.question = packet.subarray(headerBytes, end + 4);
    const questionClass = packet.readUInt16BE(end + 2);
    if (questionClass !== internetClass && questionClass !== any) query.refusal = responseCodes.refused;
    readOptions(query, packet, end + 4);
  } catch (error) {
    if (!(error instanceof WireError)) throw error;
    query.refusal = responseCodes.formatError;
  }
}

function readOptions(query: Query, packet: Buffer, start: number): void {
  const count = packet.readUInt16BE(6) + packet.readUInt16BE(8) + packet.readUInt16BE(10);
  let at = start;
  for (let index = 0; index < count; index++) {
    const { record, end } = readRecord(packet, at);
    at = end;
    if (record.type !== recordTypes.OPT) continue;
    if (query.edns) throw new WireError('two OPT records');
    query.edns = { payloadBytes: record.class ?? internetClass, dnssecOk: (record.ttl & 0x8000) !== 0 };
    if ((record.ttl >>> 16) & 0xff) query.refusal = responseCodes.badVersion;
  }
}

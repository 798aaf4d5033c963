import { internetClass, recordTypes } from './codes.ts';
import { type Name, readName } from './name.ts';
import { WireError } from './wire-error.ts';

/** What a record says: bytes as they are, and names, which are written anew since they may be compressed. */
export type RecordData = readonly (Uint8Array | Name)[];

/** One record. */
export interface ResourceRecord {
  owner: Name;
  type: number;
  /** Default: the internet's. */
  class?: number;
  ttl: number;
  data: RecordData;
}

/** How many bytes stand before each name in the data of the types whose names may be compressed (RFC 3597 §4). */
const nameOffsets = new Map<number, readonly number[]>([
  [recordTypes.NS, [0]],
  [recordTypes.CNAME, [0]],
  [recordTypes.SOA, [0, 0]],
  [recordTypes.PTR, [0]],
  [recordTypes.MX, [2]],
  [recordTypes.RP, [0, 0]],
  [recordTypes.AFSDB, [2]],
  [recordTypes.RT, [2]],
  [recordTypes.SRV, [6]],
  [recordTypes.KX, [2]],
  [recordTypes.DNAME, [0]],
]);

const fixedBytes = 10;

/** Reads the record at `start`. Throws `WireError`. */
export function readRecord(packet: Buffer, start: number): { record: ResourceRecord; end: number } {
  const { name: owner, end: at } = readName(packet, start);
  if (at + fixedBytes > packet.length) throw new WireError('a record goes beyond the message');
  const type = packet.readUInt16BE(at);
  const dataStart = at + fixedBytes;
  const end = dataStart + packet.readUInt16BE(at + 8);
  if (end > packet.length) throw new WireError('the data of a record goes beyond the message');
  const record: ResourceRecord = {
    owner,
    type,
    ttl: packet.readUInt32BE(at + 4),
    data: readData(packet, type, dataStart, end),
  };
  const recordClass = packet.readUInt16BE(at + 2);
  if (recordClass !== internetClass) record.class = recordClass;
  return { record, end };
}

function readData(packet: Buffer, type: number, start: number, end: number): RecordData {
  const data: (Uint8Array | Name)[] = [];
  let at = start;
  for (const bytes of nameOffsets.get(type) ?? []) {
    if (bytes > 0) data.push(copyOf(packet, at, at + bytes));
    const read = readName(packet, at + bytes);
    if (read.end > end) throw new WireError('a name goes beyond the data of its record');
    data.push(read.name);
    at = read.end;
  }
  if (at < end) data.push(copyOf(packet, at, end));
  return data;
}

/** What is kept must not keep the whole packet alive. */
function copyOf(packet: Buffer, start: number, end: number): Uint8Array {
  return Uint8Array.prototype.slice.call(packet, start, end);
}

import type { Answer } from './answer.ts';
import { headerBytes, headerFlags, recordTypes } from './codes.ts';
import { foldCase, type Name, readName } from './name.ts';
import { type ResourceRecord, readRecord } from './record.ts';
import { WireError } from './wire-error.ts';

/** An answer as another server sent it. */
export interface ReceivedAnswer extends Answer {
  id: number;
  truncated: boolean;
  /** The question that it repeats, the name in lower case. */
  name: Name;
  type: number;
}

/** Each record takes 11 bytes at least, so that the packet's length bounds what is read. Throws `WireError`. */
export function readAnswer(packet: Buffer): ReceivedAnswer {
  if (packet.length < headerBytes) throw new WireError('shorter than a header');
  const flags = packet.readUInt16BE(2);
  if (!(flags & headerFlags.response)) throw new WireError('no answer');
  if (packet.readUInt16BE(4) !== 1) throw new WireError('not one question');
  const { name, end } = readName(packet, headerBytes);
  if (end + 4 > packet.length) throw new WireError('the question goes beyond the message');
  const truncated = (flags & headerFlags.truncated) !== 0;
  const sections: ResourceRecord[][] = [];
  let at = end + 4;
  let extendedCode = 0;
  // What a truncated answer has is not used: the question is asked again over TCP.
  for (const offset of truncated ? [] : [6, 8, 10]) {
    const section: ResourceRecord[] = [];
    for (let left = packet.readUInt16BE(offset); left > 0; left--) {
      const { record, end: next } = readRecord(packet, at);
      at = next;
      if (record.type === recordTypes.OPT) extendedCode = record.ttl >>> 24;
      else section.push(record);
    }
    sections.push(section);
  }
  const [answers = [], authorities = [], additionals = []] = sections;
  return {
    ...{ id: packet.readUInt16BE(0), name: foldCase(name), type: packet.readUInt16BE(end), truncated },
    code: (flags & 0xf) | (extendedCode << 4),
    authoritative: (flags & headerFlags.authoritative) !== 0,
    authentic: (flags & headerFlags.authentic) !== 0,
    ...{ answers, authorities, additionals },
  };
}

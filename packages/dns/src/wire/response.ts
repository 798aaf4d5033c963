import { limits } from '../limits.ts';
import type { Answer } from './answer.ts';
import { headerBytes, headerFlags, recordTypes } from './codes.ts';
import { MessageWriter } from './message-writer.ts';
import type { Query } from './query.ts';

/** Largest message of all, and where each is put together before it is copied out. */
const messageBytesMax = 65_535;
const draft = Buffer.alloc(messageBytesMax);
const optionsBytes = 11;

/** Bytes that an answer over UDP may have. */
export function udpAnswerBytes({ edns }: Query): number {
  const offered = edns ? Math.max(edns.payloadBytes, limits.udpAnswerBytesDefault) : 0;
  return Math.min(offered || limits.udpAnswerBytesDefault, limits.udpAnswerBytesMax);
}

/**
 * The message that answers `query`: the question repeated as it came, then records as far as they fit into `bytesMax`.
 * Where some of the answer did not fit the message says so; records that only save a question are left out silently.
 */
export function writeResponse(query: Query, answer: Answer, bytesMax: number = messageBytesMax): Buffer {
  const { question, edns } = query;
  question.copy(draft, headerBytes);
  const recordsEnd = bytesMax - (edns ? optionsBytes : 0);
  const writer = new MessageWriter(draft, headerBytes + question.length, recordsEnd);
  if (question.length > 0) writer.pointTo(query.name, headerBytes);
  const write = (records: Answer['answers']) => {
    const misfit = records.findIndex((record) => !writer.record(record));
    return misfit < 0 ? records.length : misfit;
  };
  const answers = write(answer.answers);
  const isWhole = answers === answer.answers.length;
  const authorities = isWhole ? write(answer.authorities) : 0;
  const fits = isWhole && authorities === answer.authorities.length;
  const additionals = fits ? write(answer.additionals) : 0;
  const end = edns ? writeOptions(writer.length, answer.code, edns.dnssecOk) : writer.length;
  const counts = [question.length > 0 ? 1 : 0, answers, authorities, additionals + (edns ? 1 : 0)];
  draft.writeUInt16BE(query.id, 0);
  draft.writeUInt16BE(flagsOf(query, answer) | (fits ? 0 : headerFlags.truncated), 2);
  for (const [index, count] of counts.entries()) draft.writeUInt16BE(count, 4 + index * 2);
  return Buffer.from(draft.subarray(0, end));
}

const opcodeBits = 0x7800;

function flagsOf({ flags, edns }: Query, { code, authoritative, authentic }: Answer): number {
  const kept = flags & (opcodeBits | headerFlags.recursionDesired | headerFlags.checkingDisabled);
  const asksForAuthentic = edns?.dnssecOk || (flags & headerFlags.authentic) !== 0;
  return (
    headerFlags.response |
    headerFlags.recursionAvailable |
    kept |
    (authoritative ? headerFlags.authoritative : 0) |
    (authentic && asksForAuthentic ? headerFlags.authentic : 0) |
    (code & 0xf)
  );
}

/** An OPT record (RFC 6891 §6.1): what this server takes, and the upper bits of the code. */
function writeOptions(at: number, code: number, dnssecOk: boolean): number {
  draft[at] = 0;
  draft.writeUInt16BE(recordTypes.OPT, at + 1);
  draft.writeUInt16BE(limits.udpAnswerBytesMax, at + 3);
  draft.writeUInt32BE((((code >> 4) << 24) | (dnssecOk ? 0x8000 : 0)) >>> 0, at + 5);
  draft.writeUInt16BE(0, at + 9);
  return at + optionsBytes;
}

import { limits } from '../limits.ts';

/** The outputs of a container, in the words of its log. */
export type LogStream = 'stdout' | 'stderr';

/** What one formatting step did. */
export interface Formatted {
  /** Bytes of records put into the output buffer. */
  recordBytes: number;
  /** Bytes of content that they stand for. */
  consumedBytes: number;
  /** True when the output buffer was full: there is more to format in the same content. */
  full: boolean;
}

const newline = 10;
const carriageReturn = 13;
/** Room of a record beside its content: timestamp (30), stream, tag, three spaces, newline. */
const recordOverhead = 48;

/** "2026-01-31T12:00:00.123456000Z": RFC 3339 with nine digits, of which the clock gives six. */
export function logTimestamp(nowMs: number): string {
  const micros = Math.floor((nowMs % 1) * 1000);
  return `${new Date(nowMs).toISOString().slice(0, -1)}${String(micros).padStart(3, '0')}000Z`;
}

/**
 * Turns raw output into records of the CRI log: "TIMESTAMP stream TAG content\n", tag F for the end of a line, P for a
 * piece of one (k8s.io/cri-api, runtime/v1 constants; k8s.io/cri-client, logs). Lines are cut after 16384 bytes; the
 * \r of \r\n is left out. A line whose end has not come is left in the content, until there is more of it than a record
 * holds, or `flush` says that no more comes: then it becomes P. Where the content was split changes nothing.
 */
export function formatRecords(
  content: Buffer,
  output: Buffer,
  options: { stream: LogStream; timestamp: string; flush: boolean },
): Formatted {
  const full = Buffer.from(`${options.timestamp} ${options.stream} F `);
  const partial = Buffer.from(`${options.timestamp} ${options.stream} P `);
  let at = 0;
  let written = 0;
  const put = (prefix: Buffer, from: number, to: number) => {
    written += prefix.copy(output, written);
    written += content.copy(output, written, from, to);
    output[written++] = newline;
  };
  const room = () => output.byteLength - written >= limits.logRecordBytesMax + recordOverhead;
  while (at < content.byteLength) {
    const lineEnd = content.indexOf(newline, at);
    const known = lineEnd < 0 ? content.byteLength : lineEnd;
    const end = lineEnd > at && content[lineEnd - 1] === carriageReturn ? lineEnd - 1 : known;
    // One byte more than a record may still be the \r of a line's end.
    const cutAbove = lineEnd < 0 && !options.flush ? limits.logRecordBytesMax + 1 : limits.logRecordBytesMax;
    while (end - at > cutAbove && room()) {
      put(partial, at, at + limits.logRecordBytesMax);
      at += limits.logRecordBytesMax;
    }
    if (!room()) return { recordBytes: written, consumedBytes: at, full: true };
    if (lineEnd < 0 && !options.flush) break;
    put(lineEnd < 0 ? partial : full, at, end);
    at = known + (lineEnd < 0 ? 0 : 1);
  }
  return { recordBytes: written, consumedBytes: at, full: false };
}

import { bytesOf, type LogStream, logContentBytesMax, logOverheadBytes, logTags } from './format.ts';

const { newline, carriageReturn } = bytesOf;

/** What the entries say beside their content. */
export interface EncodeOptions {
  stream: LogStream;
  /** Of all entries; see `logTimestamp`. */
  timestamp: string;
  /** No more content comes: the rest without newline is a piece of a line. */
  flush: boolean;
}

/** What one step did. */
export interface Encoded {
  /** Bytes of entries put into the output buffer. */
  entryBytes: number;
  /** Bytes of content that they stand for. */
  consumedBytes: number;
  /** True when the output buffer was full: there is more to encode in the same content. */
  full: boolean;
}

const prefixOf = (timestamp: string, stream: LogStream, tag: string) => `${timestamp} ${stream} ${tag} `;

/** One whole line as an entry. It must have no newline, and at most `logContentBytesMax` bytes. */
export const encodeEntry = (timestamp: string, stream: LogStream, line: string): Buffer =>
  Buffer.from(`${prefixOf(timestamp, stream, logTags.full)}${line}\n`);

/**
 * Turns raw output into entries. Lines are cut after {@link logContentBytesMax}; the \r of \r\n is left out. A line
 * whose end has not come is left in the content, until there is more of it than an entry holds, or `flush` says that no
 * more comes: then it becomes P. Where the content was split changes nothing.
 */
export function encodeEntries(content: Buffer, output: Buffer, options: EncodeOptions): Encoded {
  const full = Buffer.from(prefixOf(options.timestamp, options.stream, logTags.full));
  const partial = Buffer.from(prefixOf(options.timestamp, options.stream, logTags.partial));
  let at = 0;
  let written = 0;
  const put = (prefix: Buffer, from: number, to: number) => {
    written += prefix.copy(output, written);
    written += content.copy(output, written, from, to);
    output[written++] = newline;
  };
  const room = () => output.byteLength - written >= logContentBytesMax + logOverheadBytes;
  while (at < content.byteLength) {
    const lineEnd = content.indexOf(newline, at);
    const known = lineEnd < 0 ? content.byteLength : lineEnd;
    const end = lineEnd > at && content[lineEnd - 1] === carriageReturn ? lineEnd - 1 : known;
    // One byte more than an entry may still be the \r of a line's end.
    const cutAbove = lineEnd < 0 && !options.flush ? logContentBytesMax + 1 : logContentBytesMax;
    while (end - at > cutAbove && room()) {
      put(partial, at, at + logContentBytesMax);
      at += logContentBytesMax;
    }
    if (!room()) return { entryBytes: written, consumedBytes: at, full: true };
    if (lineEnd < 0 && !options.flush) break;
    put(lineEnd < 0 ? partial : full, at, end);
    at = known + (lineEnd < 0 ? 0 : 1);
  }
  return { entryBytes: written, consumedBytes: at, full: false };
}

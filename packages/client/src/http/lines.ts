import { concatenate } from '@wherry/bytes';
import { ClientError } from '../errors.ts';

const newline = 0x0a;

/**
 * Splits a byte stream at newlines, without them. A last line that lacks its newline is yielded only if `keepsLast`:
 * in what is one line per message it was cut. Throws `ClientError` `bad-answer` when a line is longer than `bytesMax`.
 */
export async function* splitLines(
  source: AsyncIterable<Uint8Array>,
  { bytesMax, keepsLast = false }: { bytesMax: number; keepsLast?: boolean },
): AsyncGenerator<Uint8Array> {
  let pending: Uint8Array[] = [];
  let pendingBytes = 0;
  for await (const bytes of source) {
    let start = 0;
    for (let end = bytes.indexOf(newline); end !== -1; end = bytes.indexOf(newline, start)) {
      pending.push(bytes.subarray(start, end));
      yield concatenate(pending, pendingBytes + end - start);
      pending = [];
      pendingBytes = 0;
      start = end + 1;
    }
    if (start === bytes.length) continue;
    pending.push(bytes.subarray(start));
    pendingBytes += bytes.length - start;
    if (pendingBytes > bytesMax)
      throw new ClientError('bad-answer', `a line is longer than ${bytesMax} bytes`);
  }
  if (keepsLast && pendingBytes > 0) yield concatenate(pending, pendingBytes);
}

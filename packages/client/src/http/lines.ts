import { ClientError } from '../errors.ts';

const newline = 0x0a;

/**
 * Splits a byte stream at newlines, without them. A last line that lacks its newline is not yielded: it was cut.
 * Throws `ClientError` `bad-answer` when a line is longer than `bytesMax`.
 */
export async function* splitLines(
  source: AsyncIterable<Uint8Array>,
  bytesMax: number,
): AsyncGenerator<Buffer> {
  let pending: Buffer[] = [];
  let pendingBytes = 0;
  for await (const chunk of source) {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    let start = 0;
    for (let end = bytes.indexOf(newline); end !== -1; end = bytes.indexOf(newline, start)) {
      pending.push(bytes.subarray(start, end));
      yield pending.length === 1 ? (pending[0] as Buffer) : Buffer.concat(pending);
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
}

import type { FileHandle } from 'node:fs/promises';

const blockBytes = 64 * 1_024;
const newline = 0x0a;

/** Offset at which the last `lines` complete lines of the first `size` bytes begin. An unfinished last line does not count. */
export async function tailOffset(file: FileHandle, size: number, lines: number): Promise<number> {
  const block = Buffer.allocUnsafe(blockBytes);
  let found = 0;
  for (let end = size; end > 0; ) {
    const start = Math.max(0, end - blockBytes);
    const { bytesRead } = await file.read(block, 0, end - start, start);
    for (
      let at = block.lastIndexOf(newline, bytesRead - 1);
      at >= 0;
      at = at > 0 ? block.lastIndexOf(newline, at - 1) : -1
    ) {
      if (found === lines) return start + at + 1;
      found += 1;
    }
    end = start;
  }
  return 0;
}

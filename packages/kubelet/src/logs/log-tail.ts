import { createReadStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import type { LogSegment } from './log-segments.ts';

const blockBytes = 64 * 1_024;
const newline = 0x0a;

/** Where the last lines of a log begin. */
export interface TailStart {
  /** Rotated files to read, the oldest first. */
  segments: readonly LogSegment[];
  /** Lines to leave out at the start of the first of them, or of the current file when there are none. */
  skipLines: number;
  /** Offset in the current file, when the tail begins there. */
  offset: number;
}

/** Finds where the last `lines` complete lines begin, in the current file or in those rotated before it. */
export async function findTail(
  current: FileHandle,
  segments: readonly LogSegment[],
  lines: number,
): Promise<TailStart> {
  const { size } = await current.stat();
  const { found, offset } = await scanBackward(current, size, lines);
  if (found >= lines) return { segments: [], skipLines: 0, offset };
  let wanted = lines - found;
  for (let index = segments.length - 1; index >= 0; index -= 1) {
    const held = await countLines(segments[index] as LogSegment);
    if (held >= wanted) return { segments: segments.slice(index), skipLines: held - wanted, offset: 0 };
    wanted -= held;
  }
  return { segments, skipLines: 0, offset: 0 };
}

async function scanBackward(
  file: FileHandle,
  size: number,
  lines: number,
): Promise<{ found: number; offset: number }> {
  const block = Buffer.allocUnsafe(blockBytes);
  let found = 0;
  for (let end = size; end > 0; ) {
    const start = Math.max(0, end - blockBytes);
    const { bytesRead } = await file.read(block, 0, end - start, start);
    for (let at = bytesRead; at > 0; ) {
      at = block.lastIndexOf(newline, at - 1);
      if (at < 0) break;
      if (found === lines) return { found, offset: start + at + 1 };
      found += 1;
    }
    end = start;
  }
  return { found, offset: 0 };
}

async function countLines(segment: LogSegment): Promise<number> {
  let count = 0;
  await eachBlock(segment, async (block) => {
    for (let at = block.indexOf(newline); at >= 0; at = block.indexOf(newline, at + 1)) count += 1;
  });
  return count;
}

/** Hands a rotated file's content to `take`, block by block, decompressed. */
export async function eachBlock(segment: LogSegment, take: (block: Buffer) => Promise<void>): Promise<void> {
  const drain = async (blocks: AsyncIterable<Buffer>) => {
    for await (const block of blocks) await take(block);
  };
  if (segment.isCompressed) {
    await pipeline(createReadStream(segment.path), createGunzip({ chunkSize: blockBytes }), drain);
    return;
  }
  const file = await open(segment.path, 'r');
  await drain(file.createReadStream({ highWaterMark: blockBytes * 4 }));
}

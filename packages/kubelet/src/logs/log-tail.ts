import type { FileHandle } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import type { LogFolder } from './log-folder.ts';
import type { LogSegment } from './log-segments.ts';

const blockBytes = 64 * 1_024;
const newline = 0x0a;

/** Where the last lines of a log begin. */
export interface TailStart {
  /** Rotated files to read, the oldest first. */
  segments: readonly LogSegment[];
  /** Offset in the first of them, or in the current file when there are none. */
  offset: number;
  /** Lines to leave out from there on: in a compressed file the offset is not known. */
  skipLines: number;
}

/** Finds where the last `lines` complete lines begin, in the current file or in those rotated before it. */
export async function findTail(
  folder: LogFolder,
  current: FileHandle,
  segments: readonly LogSegment[],
  lines: number,
): Promise<TailStart> {
  const { found, offset } = await scanBackward(current, lines);
  if (found >= lines) return { segments: [], offset, skipLines: 0 };
  let wanted = lines - found;
  for (let index = segments.length - 1; index >= 0; index -= 1) {
    const held = await tailOf(folder, segments[index] as LogSegment, wanted);
    if (held.found >= wanted) return { ...held, segments: segments.slice(index) };
    wanted -= held.found;
  }
  return { segments, offset: 0, skipLines: 0 };
}

/** Where the last `lines` lines of a rotated file begin, or how many it has when there are fewer. */
async function tailOf(
  folder: LogFolder,
  segment: LogSegment,
  lines: number,
): Promise<{ found: number; offset: number; skipLines: number }> {
  if (segment.isCompressed) {
    const found = await countLines(folder, segment);
    return { found, offset: 0, skipLines: found - lines };
  }
  const file = await folder.open(segment.name);
  const start = await scanBackward(file, lines).finally(() => file.close());
  return { ...start, skipLines: 0 };
}

async function scanBackward(file: FileHandle, lines: number): Promise<{ found: number; offset: number }> {
  const { size } = await file.stat();
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

async function countLines(folder: LogFolder, segment: LogSegment): Promise<number> {
  let count = 0;
  await eachBlock(folder, segment, async (block) => {
    for (let at = block.indexOf(newline); at >= 0; at = block.indexOf(newline, at + 1)) count += 1;
  });
  return count;
}

/** Hands a compressed file's content to `take`, block by block. */
export async function eachBlock(
  folder: LogFolder,
  segment: LogSegment,
  take: (block: Buffer) => Promise<void>,
): Promise<void> {
  const file = await folder.open(segment.name);
  await pipeline(
    file.createReadStream(),
    createGunzip({ chunkSize: blockBytes }),
    async (blocks: AsyncIterable<Buffer>) => {
      for await (const block of blocks) await take(block);
    },
  );
}

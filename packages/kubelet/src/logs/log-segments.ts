import { type FileHandle, readdir, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/** One file of a log that was rotated. */
export interface LogSegment {
  path: string;
  isCompressed: boolean;
  /** When it was rotated: `YYYYMMDD-HHMMSS`, UTC. */
  stamp: string;
}

const suffixPattern = /^\.(\d{8}-\d{6})(\.gz)?$/;

/** The rotated files of the log at `path`, the oldest first. A file that is being compressed counts once. */
export async function rotatedSegments(path: string): Promise<LogSegment[]> {
  const stem = basename(path);
  const folder = dirname(path);
  const byStamp = new Map<string, LogSegment>();
  for (const name of await readdir(folder).catch(() => [])) {
    const match = name.startsWith(stem) ? suffixPattern.exec(name.slice(stem.length)) : null;
    const stamp = match?.[1];
    if (!stamp) continue;
    const segment = { path: join(folder, name), isCompressed: match[2] !== undefined, stamp };
    if (!segment.isCompressed || !byStamp.has(stamp)) byStamp.set(stamp, segment);
  }
  return [...byStamp.values()].sort((a, b) => (a.stamp < b.stamp ? -1 : 1));
}

/** The rotated files older than the one that is open as `file`. */
export async function segmentsBefore(path: string, file: FileHandle): Promise<LogSegment[]> {
  const segments = await rotatedSegments(path);
  const own = await indexOfFile(segments, file);
  return own < 0 ? segments : segments.slice(0, own);
}

/** The rotated files newer than the one that is open as `file`, the oldest first. */
export async function segmentsAfter(path: string, file: FileHandle): Promise<LogSegment[]> {
  const segments = await rotatedSegments(path);
  const own = await indexOfFile(segments, file);
  if (own >= 0) return segments.slice(own + 1);
  // Compressed meanwhile: its name tells the second of its rotation, just behind its last write.
  const { mtimeMs } = await file.stat();
  const lastWrite = stampOf(mtimeMs);
  const compressed = segments.findIndex(({ stamp, isCompressed }) => isCompressed && stamp >= lastWrite);
  return compressed < 0 ? [] : segments.slice(compressed + 1);
}

async function indexOfFile(segments: readonly LogSegment[], file: FileHandle): Promise<number> {
  const own = await file.stat();
  for (const [index, { path }] of segments.entries()) {
    const other = await stat(path).catch(() => undefined);
    if (other?.ino === own.ino && other.dev === own.dev) return index;
  }
  return -1;
}

/** The part of a rotated file's name that says when. */
export function stampOf(epochMs: number): string {
  return new Date(epochMs).toISOString().slice(0, 19).replace(/[-:]/g, '').replace('T', '-');
}

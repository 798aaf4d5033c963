import type { FileHandle } from 'node:fs/promises';
import type { LogFolder } from './log-folder.ts';

/** One file of a log that was rotated. */
export interface LogSegment {
  name: string;
  isCompressed: boolean;
  /** When it was rotated: `YYYYMMDD-HHMMSS`, UTC. */
  stamp: string;
}

const suffixPattern = /^\.(\d{8}-\d{6})(\.gz)?$/;

/** The rotated files of the log `stem`, the oldest first. A file that is being compressed counts once. */
function rotatedSegments(folder: LogFolder, stem: string): LogSegment[] {
  const byStamp = new Map<string, LogSegment>();
  for (const name of folder.names()) {
    const match = name.startsWith(stem) ? suffixPattern.exec(name.slice(stem.length)) : null;
    const stamp = match?.[1];
    if (!stamp) continue;
    const segment = { name, isCompressed: match[2] !== undefined, stamp };
    if (!segment.isCompressed || !byStamp.has(stamp)) byStamp.set(stamp, segment);
  }
  return [...byStamp.values()].sort((a, b) => (a.stamp < b.stamp ? -1 : 1));
}

/** The rotated files older than the one that is open as `file`. */
export async function segmentsBefore(
  folder: LogFolder,
  stem: string,
  file: FileHandle,
): Promise<LogSegment[]> {
  const segments = rotatedSegments(folder, stem);
  const own = await indexOfFile(folder, segments, file);
  return own < 0 ? segments : segments.slice(0, own);
}

/** The rotated files newer than the one that is open as `file`, the oldest first. */
export async function segmentsAfter(
  folder: LogFolder,
  stem: string,
  file: FileHandle,
): Promise<LogSegment[]> {
  const segments = rotatedSegments(folder, stem);
  const own = await indexOfFile(folder, segments, file);
  if (own >= 0) return segments.slice(own + 1);
  // Compressed meanwhile: its name tells the second of its rotation, just behind its last write.
  const { mtimeMs } = await file.stat();
  const lastWrite = stampOf(mtimeMs);
  const compressed = segments.findIndex(({ stamp, isCompressed }) => isCompressed && stamp >= lastWrite);
  return compressed < 0 ? [] : segments.slice(compressed + 1);
}

async function indexOfFile(
  folder: LogFolder,
  segments: readonly LogSegment[],
  file: FileHandle,
): Promise<number> {
  const own = await file.stat();
  return segments.findIndex(({ name }) => {
    const other = folder.stat(name);
    return other?.ino === own.ino && other.dev === own.dev;
  });
}

/** The part of a rotated file's name that says when. */
export function stampOf(epochMs: number): string {
  return new Date(epochMs).toISOString().slice(0, 19).replace(/[-:]/g, '').replace('T', '-');
}

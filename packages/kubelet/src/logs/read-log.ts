import { basename, join } from 'node:path';
import type { Clock } from '@wherry/clock';
import { FileChanges } from './file-changes.ts';
import { LogDecoder, type LogFilter } from './log-decoder.ts';
import { LogFile, readSegment } from './log-file.ts';
import { LogFolder } from './log-folder.ts';
import { LogOutput } from './log-output.ts';
import { segmentsBefore } from './log-segments.ts';
import { findTail } from './log-tail.ts';

/** What of a container's log is wanted. */
export interface LogOptions extends Omit<LogFilter, 'entriesMax'> {
  /** Goes on until the container has stopped. */
  follow: boolean;
  /** Begins so many entries before the end; pieces of long lines count one each. */
  tailLines?: number | undefined;
}

/** How a reader follows a log. */
export interface FollowOptions {
  clock: Clock;
  /** Asked whenever the end of the file is reached; the last bytes are read after it said no. */
  isRunning(): Promise<boolean>;
  /** Takes bytes; the reader waits for it, so that a slow client slows its own log alone. */
  write(bytes: Uint8Array): Promise<void>;
  signal: AbortSignal;
}

/**
 * Reads a container's log: what is there, then, when following, what is written until the container has stopped. Files
 * that were rotated away and still exist, compressed or not, are part of it (upstream shows the current file alone),
 * and a follower loses nothing over a rotation. The file and the two folders above it may not be links. Rejects with
 * `signal.reason`, with LogFileError, or when a file can't be read.
 */
export async function readContainerLog(
  path: string,
  options: LogOptions,
  follow: FollowOptions,
): Promise<void> {
  const entriesMax = options.follow ? undefined : options.tailLines;
  const output = new LogOutput(new LogDecoder({ ...options, entriesMax }), follow.write);
  using folder = LogFolder.of(path);
  const name = basename(path);
  const file = new LogFile(folder, await folder.open(name), output);
  const reading: Reading = { folder, name, file, output };
  try {
    await readPast(reading, options.tailLines, follow.signal);
    await file.drain(follow.signal);
    if (options.follow && !output.isDone) await followLog(reading, follow);
  } finally {
    await file.close();
  }
}

interface Reading {
  folder: LogFolder;
  name: string;
  file: LogFile;
  output: LogOutput;
}

/** Reads the rotated files that belong to what is wanted, and moves to where the current file is to be read from. */
async function readPast(
  { folder, name, file, output }: Reading,
  tailLines: number | undefined,
  signal: AbortSignal,
): Promise<void> {
  const all = await segmentsBefore(folder, name, file.handle);
  const start = tailLines === undefined ? undefined : await findTail(folder, file.handle, all, tailLines);
  let offset = start?.offset ?? 0;
  if (start) output.skip(start.skipLines);
  for (const segment of start?.segments ?? all) {
    signal.throwIfAborted();
    if (!output.isDone) await readSegment(folder, segment, { output, signal, offset });
    offset = 0;
  }
  file.seek(offset);
}

async function followLog({ folder, name, file, output }: Reading, follow: FollowOptions): Promise<void> {
  const { clock, isRunning, signal } = follow;
  const changes = new FileChanges(join(folder.path, name), clock);
  try {
    for (let isLast = false; !output.isDone; ) {
      const seen = changes.count;
      const progressed = await file.drain(signal);
      if ((await file.goOn(name, signal)) || progressed) continue;
      if (isLast) return;
      isLast = !(await isRunning());
      if (!isLast) await changes.after(seen, signal);
    }
  } finally {
    changes.close();
  }
}

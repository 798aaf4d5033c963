import { open } from 'node:fs/promises';
import type { Clock } from '@wherry/clock';
import { FileChanges } from './file-changes.ts';
import { LogDecoder, type LogFilter } from './log-decoder.ts';
import { LogFile, readSegment } from './log-file.ts';
import { LogOutput } from './log-output.ts';
import { segmentsBefore } from './log-segments.ts';
import { findTail } from './log-tail.ts';

/** What of a container's log is wanted. */
export interface LogOptions extends Omit<LogFilter, 'recordsMax'> {
  /** Goes on until the container has stopped. */
  follow: boolean;
  /** Begins so many records before the end; pieces of long lines count one each. */
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
 * and a follower loses nothing over a rotation. Rejects with `signal.reason`, or when a file can't be read.
 */
export async function readContainerLog(
  path: string,
  options: LogOptions,
  follow: FollowOptions,
): Promise<void> {
  const recordsMax = options.follow ? undefined : options.tailLines;
  const output = new LogOutput(new LogDecoder({ ...options, recordsMax }), follow.write);
  const file = new LogFile(await open(path, 'r'), output);
  try {
    await readPast(path, file, output, options.tailLines, follow.signal);
    await file.drain(follow.signal);
    if (options.follow && !output.isDone) await followLog(path, file, output, follow);
  } finally {
    await file.close();
  }
}

/** Reads the rotated files that belong to what is wanted, and moves to where the current file is to be read from. */
async function readPast(
  path: string,
  file: LogFile,
  output: LogOutput,
  tailLines: number | undefined,
  signal: AbortSignal,
): Promise<void> {
  const all = await segmentsBefore(path, file.handle);
  const start = tailLines === undefined ? undefined : await findTail(file.handle, all, tailLines);
  let offset = start?.offset ?? 0;
  if (start) output.skip(start.skipLines);
  for (const segment of start?.segments ?? all) {
    signal.throwIfAborted();
    if (!output.isDone) await readSegment(segment, { output, signal, offset });
    offset = 0;
  }
  file.seek(offset);
}

async function followLog(
  path: string,
  file: LogFile,
  output: LogOutput,
  follow: FollowOptions,
): Promise<void> {
  const { clock, isRunning, signal } = follow;
  const changes = new FileChanges(path, clock);
  try {
    for (let isLast = false; !output.isDone; ) {
      const seen = changes.count;
      const progressed = await file.drain(signal);
      if ((await file.goOn(path, signal)) || progressed) continue;
      if (isLast) return;
      isLast = !(await isRunning());
      if (!isLast) await changes.after(seen, signal);
    }
  } finally {
    changes.close();
  }
}

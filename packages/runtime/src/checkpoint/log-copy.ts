import { closeSync, constants, createReadStream, createWriteStream, fstatSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { hasCode, OpenFolder } from '@wherry/linux';

const forOwnerAlone = 0o600;

/** The folder above those that pods may write to, and the way from there to a log. */
function logPlace(logPath: string): { pods: OpenFolder; below: string } {
  const folder = dirname(logPath);
  const below = [basename(dirname(folder)), basename(folder), basename(logPath)].join('/');
  return { pods: OpenFolder.at(dirname(dirname(folder))), below };
}

/** Copies a container's log as it is now into a new file. Pods may write around it: no link is followed. No log is fine. */
export async function copyLog(logPath: string, path: string, signal: AbortSignal): Promise<void> {
  const { pods, below } = logPlace(logPath);
  using _ = pods;
  if (!pods.stat(below, { links: 'refused' })?.isFile()) return;
  const flags = constants.O_RDONLY | constants.O_NONBLOCK;
  const descriptor = pods.open(below, { flags, links: 'refused' });
  const { size } = fstatSync(descriptor);
  if (size === 0) return closeSync(descriptor);
  const source = createReadStream('', { fd: descriptor, end: size - 1 });
  await pipeline(source, createWriteStream(path, { flags: 'wx', mode: forOwnerAlone }), { signal });
}

/** Puts a file where a container is about to log to, likewise. One that is there already stays. */
export async function placeLog(path: string, logPath: string): Promise<void> {
  const { pods, below } = logPlace(logPath);
  using _ = pods;
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL;
  try {
    const descriptor = pods.open(below, { flags, mode: 0o640, links: 'refused' });
    await pipeline(createReadStream(path), createWriteStream('', { fd: descriptor }));
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error;
  }
}

import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { limits } from '../limits.ts';

/**
 * A container's stdio in a checkpoint: what CRIU calls each of the three streams, so that a restored process gets its new
 * monitor's in their place. Empty for one that is none of the monitor's, such as /dev/null.
 */
export type StreamKeys = readonly string[];

/** Beside CRIU's images: runc and crun write the streams of pipes there, and read them back. */
const fileName = 'descriptors.json';
const pathOnly = 0o10_000_000;
const streams = 3;
/** A FIFO by mount and inode, or a pipe, which other monitors give their containers. */
const fifoKey = /^file\[[0-9a-f]{1,8}:[0-9a-f]{1,16}\]$/;
const pipeKey = /^pipe:\[\d{1,20}\]$/;

/** The keys of FIFOs by their paths; null for a stream that is none. Throws ENOENT. */
export const keysOfFifos = (paths: readonly (string | null)[]): StreamKeys =>
  paths.map((path) => (path === null ? '' : keyOfFifo(path)));

function keyOfFifo(path: string): string {
  const descriptor = openSync(path, pathOnly | constants.O_NOFOLLOW);
  try {
    const facts = readFileSync(`/proc/self/fdinfo/${descriptor}`, 'utf8');
    const mount = Number(/^mnt_id:\s*(\d+)$/m.exec(facts)?.[1]);
    return `file[${mount.toString(16)}:${fstatSync(descriptor).ino.toString(16)}]`;
  } finally {
    closeSync(descriptor);
  }
}

/** Leaves the keys of a checkpoint beside its images. */
export function writeStreamKeys(imagePath: string, keys: StreamKeys): void {
  writeFileSync(join(imagePath, fileName), JSON.stringify(keys), { mode: 0o600 });
}

/**
 * Takes the keys of a checkpoint from beside its images. They are a stranger's words: what the OCI runtime finds there
 * afterwards is no more than pipes of the three streams, since it would hand a process any descriptor that it has.
 */
export function takeStreamKeys(imagePath: string): StreamKeys {
  const path = join(imagePath, fileName);
  const keys = readKeys(path);
  rmSync(path, { force: true });
  writeFileSync(path, JSON.stringify(keys.map((key) => (pipeKey.test(key) ? key : ''))), {
    mode: 0o600,
    flag: 'wx',
  });
  return keys.map((key) => (fifoKey.test(key) ? key : ''));
}

function readKeys(path: string): string[] {
  const facts = lstatSync(path, { throwIfNoEntry: false });
  const isFit = facts?.isFile() && facts.size <= limits.streamKeysBytesMax;
  const stored: unknown = isFit ? JSON.parse(readFileSync(path, 'utf8')) : [];
  const list: unknown[] = Array.isArray(stored) ? stored.slice(0, streams) : [];
  const keys = list.map((key) =>
    typeof key === 'string' && (fifoKey.test(key) || pipeKey.test(key)) ? key : '',
  );
  return [...keys, '', '', ''].slice(0, streams);
}

import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { check, declare } from '../native.ts';

const setrlimit = declare('int setrlimit(int resource, const void *limit)');
/** RLIMIT_NOFILE. */
const openFilesResource = 7;

/** What processes have open. */
export interface OpenFiles {
  files: number;
  sockets: number;
}

/** Counts what processes have open; those that end meanwhile are left out. Of each at most `filesMax` are looked at. */
export function openFilesOf(pids: readonly number[], filesMax: number): OpenFiles {
  const open = pids.flatMap((pid) => targetsOf(`/proc/${pid}/fd`, filesMax));
  return { files: open.length, sockets: open.filter((target) => target.startsWith('socket:')).length };
}

/** How many files a process may have open (soft limit); undefined where it is gone, or may have any number. */
export function openFilesMaxOf(pid: number): number | undefined {
  try {
    const line = /^Max open files\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/limits`, 'utf8'));
    return line ? Number(line[1]) : undefined;
  } catch {
    return undefined;
  }
}

/** Sets how many files this process, and those that it starts, may have open, softly and hard. Throws where it may not. */
export function setOpenFilesMax(count: number): void {
  const limit = new BigUint64Array([BigInt(count), BigInt(count)]);
  check('setrlimit', setrlimit(openFilesResource, limit), `${count} open files`);
}

function targetsOf(folder: string, filesMax: number): string[] {
  try {
    return readdirSync(folder)
      .slice(0, filesMax)
      .map((name) => targetOf(`${folder}/${name}`));
  } catch {
    return [];
  }
}

function targetOf(link: string): string {
  try {
    return readlinkSync(link);
  } catch {
    return '';
  }
}

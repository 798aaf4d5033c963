import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

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

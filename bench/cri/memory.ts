import { readdirSync, readFileSync } from 'node:fs';
import { pssMebibytes } from '../memory/footprint.ts';

interface SeenProcess {
  pid: number;
  parent: number;
  words: string;
}

function processes(): SeenProcess[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const parent = Number(/^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${name}/status`, 'utf8'))?.[1]);
        const words = readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ');
        return [{ pid: Number(name), parent, words }];
      } catch {
        return [];
      }
    });
}

/**
 * Memory of a runtime's processes in MiB (PSS): those whose command lines name its folder, and what they started, such as
 * pause processes, but not what containers were asked to run.
 */
export function mebibytesOf(folder: string, containerCommand: string): number {
  const all = processes().filter(({ words }) => !words.startsWith(containerCommand));
  const own = new Set(all.filter(({ words }) => words.includes(folder)).map(({ pid }) => pid));
  for (let before = -1; before !== own.size; ) {
    before = own.size;
    for (const { pid, parent } of all) if (own.has(parent)) own.add(pid);
  }
  return [...own].reduce((sum, pid) => sum + pssOf(pid), 0);
}

function pssOf(pid: number): number {
  try {
    return pssMebibytes(pid) || 0;
  } catch {
    return 0;
  }
}

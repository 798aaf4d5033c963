import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { limits } from '../../limits.ts';
import type { Samples } from './families.ts';

/** What the processes of a container have open, and the limits of its first one. Those that end meanwhile are left out. */
export function addProcesses(samples: Samples, pids: readonly number[], firstPid: number): void {
  let [files, sockets] = [0, 0];
  for (const pid of pids.slice(0, limits.metricProcessesMax)) {
    const open = openFilesOf(pid);
    files += open.length;
    sockets += open.filter((target) => target.startsWith('socket:')).length;
  }
  samples.add('container_processes', pids.length);
  samples.add('container_file_descriptors', files);
  samples.add('container_sockets', sockets);
  const line = /^Max open files\s+(\d+)/m.exec(readIfThere(`/proc/${firstPid}/limits`));
  if (line) samples.add('container_ulimits_soft', Number(line[1]), 'max_open_files');
}

function openFilesOf(pid: number): string[] {
  const folder = `/proc/${pid}/fd`;
  try {
    return readdirSync(folder)
      .slice(0, limits.metricFilesMax)
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

function readIfThere(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

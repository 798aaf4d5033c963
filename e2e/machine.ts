import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { basename, join } from 'node:path';
import { run } from './command.ts';

/** What a node could leave behind on a machine, as sorted lists that can be compared. */
export interface MachineTraces {
  processes: string[];
  mounts: string[];
  cgroups: string[];
  interfaces: string[];
  tables: string[];
  runFiles: string[];
}

/**
 * Everything of the machine that names a marker (a node's id, folder or interfaces), and the interfaces that are plugged
 * into a bridge whose name does. Other nodes may come and go beside it.
 */
export async function tracesOf(markers: readonly string[]): Promise<MachineTraces> {
  const isOurs = (text: string) => markers.some((marker) => text.includes(marker));
  return {
    processes: commandLines().filter(isOurs),
    mounts: readFileSync('/proc/self/mountinfo', 'utf8').split('\n').filter(isOurs),
    cgroups: cgroupFolders().filter(isOurs),
    interfaces: readdirSync('/sys/class/net').filter((name) => isOurs(name) || isOurs(bridgeOf(name))),
    tables: (await run('nft', ['list', 'tables'])).stdout.trim().split('\n').filter(isOurs),
    runFiles: readdirSync('/run').filter(isOurs),
  };
}

/** Processes that were told files of a folder, such as a node's; a command that only names the folder itself is none. */
export function processesWith(folder: string): string[] {
  return commandLines().filter((words) => words.includes(`${folder}/`));
}

/** Name of the bridge that an interface belongs to, empty without one. */
function bridgeOf(name: string): string {
  try {
    return basename(readlinkSync(`/sys/class/net/${name}/master`));
  } catch {
    return '';
  }
}

function commandLines(): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        return [readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')];
      } catch {
        return [];
      }
    });
}

const cgroupDepth = 3;

function cgroupFolders(folder = '/sys/fs/cgroup', depth = 0): string[] {
  if (depth > cgroupDepth || !existsSync(folder)) return [];
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map((entry) => join(folder, entry.name))
      .flatMap((path) => [path, ...cgroupFolders(path, depth + 1)]);
  } catch {
    return [];
  }
}

import { execFileSync } from 'node:child_process';
import { closeSync, copyFileSync, mkdirSync, mkdtempSync, openSync, rmSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const mediumBytes = 48 * 1024 * 1024;

function run(program: string, ...args: string[]): string {
  return execFileSync(program, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim();
}

/** A mounted ext4 of a test's own; gone when disposed. */
export interface LoopDisk extends Disposable {
  /** Where it is mounted. */
  folder: string;
  /** The file that holds what has been written out; the kernel's memory of the file system is not in it. */
  medium: string;
}

/** A new ext4, or the one on a copy of `from` as it comes up after a power cut: the journal is played again. */
export function loopDisk(from?: string): LoopDisk {
  const place = mkdtempSync(join(tmpdir(), 'wherry-loop-'));
  const medium = join(place, 'medium');
  const folder = join(place, 'mounted');
  mkdirSync(folder);
  if (from === undefined) {
    closeSync(openSync(medium, 'w'));
    truncateSync(medium, mediumBytes);
    run('mkfs.ext4', '-q', '-F', medium);
  } else copyFileSync(from, medium);
  const device = run('losetup', '--find', '--show', medium);
  // A journal that is written out only when it is told to: nothing becomes durable by luck.
  run('mount', '-o', 'commit=300', device, folder);
  return {
    folder,
    medium,
    [Symbol.dispose]() {
      run('umount', folder);
      run('losetup', '--detach', device);
      rmSync(place, { recursive: true });
    },
  };
}

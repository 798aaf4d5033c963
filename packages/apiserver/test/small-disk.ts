import { execFileSync } from 'node:child_process';
import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  rmSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';

const mebibyte = 1024 * 1024;

/** A mounted file system of one test; unmounted behind it. */
export interface SmallDisk {
  /** Where it is mounted. */
  folder: string;
  /** Takes all the room that is left. */
  fill(): void;
  /** Gives it back. */
  empty(): void;
}

function run(program: string, ...args: string[]): string {
  return execFileSync(program, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim();
}

/** A disk that says so when it is full: a tmpfs. */
export function fullableDisk(test: TestContext, mebibytes = 4): SmallDisk {
  const { disk, remove } = mountMemory(mebibytes);
  test.after(remove);
  return disk;
}

/** A disk whose medium breaks: ext4 on a loop device over a sparse file, for which there is no room once `fill` was called. */
export interface BreakableDisk extends SmallDisk {
  /** The kernel finds an error in the file system, and mounts it read-only. */
  turnReadOnly(): void;
  /** As after a power cut and a new disk: what had reached the medium is there, whatever was in memory is not. */
  repair(): void;
}

/** See {@link BreakableDisk}: what is flushed to blocks that are new to it fails with EIO, as on a dying disk. */
export function breakableDisk(test: TestContext): BreakableDisk {
  const { disk: medium, remove } = mountMemory(24);
  const image = join(medium.folder, 'image');
  closeSync(openSync(image, 'w'));
  truncateSync(image, 64 * mebibyte);
  run('mkfs.ext4', '-q', '-F', '-E', 'nodiscard', image);
  const folder = join(medium.folder, 'mounted');
  mkdirSync(folder);
  const device = run('losetup', '--find', '--show', image);
  const mount = () => run('mount', '-o', 'errors=remount-ro', device, folder);
  mount();
  test.after(() => {
    run('umount', '--lazy', folder);
    run('losetup', '--detach', device);
    remove();
  });
  return {
    ...medium,
    folder,
    turnReadOnly: () =>
      writeFileSync(`/sys/fs/ext4/${device.replace('/dev/', '')}/trigger_fs_error`, 'a test'),
    repair() {
      run('umount', folder);
      medium.empty();
      // 1 = errors were corrected.
      run('sh', '-c', `e2fsck -fy ${device} >&2 || [ $? -eq 1 ]`);
      mount();
    },
  };
}

function mountMemory(mebibytes: number): { disk: SmallDisk; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), 'wherry-disk-'));
  run('mount', '-t', 'tmpfs', '-o', `size=${mebibytes}m`, 'tmpfs', folder);
  const filler = join(folder, 'filler');
  const disk = { folder, fill: () => writeUntilFull(filler), empty: () => rmSync(filler) };
  const remove = () => {
    run('umount', '--lazy', folder);
    rmSync(folder, { recursive: true });
  };
  return { disk, remove };
}

function writeUntilFull(path: string): void {
  const descriptor = openSync(path, 'a');
  try {
    for (const size of [mebibyte, 4096]) {
      const block = Buffer.alloc(size);
      while (hasWritten(descriptor, block));
    }
  } finally {
    closeSync(descriptor);
  }
}

function hasWritten(descriptor: number, block: Buffer): boolean {
  try {
    return writeSync(descriptor, block) === block.length;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOSPC') return false;
    throw error;
  }
}

import type { Stats } from 'node:fs';
import { mkdir, stat, writeFile } from 'node:fs/promises';
import type { HostPathVolumeSource } from '@wherry/kubeapi';
import { hasCode } from '@wherry/linux';

const checks: Record<string, (stats: Stats) => boolean> = {
  Directory: (stats) => stats.isDirectory(),
  DirectoryOrCreate: (stats) => stats.isDirectory(),
  File: (stats) => stats.isFile(),
  FileOrCreate: (stats) => stats.isFile(),
  Socket: (stats) => stats.isSocket(),
  CharDevice: (stats) => stats.isCharacterDevice(),
  BlockDevice: (stats) => stats.isBlockDevice(),
};

const kindNames: Record<string, string> = {
  Directory: 'a directory',
  DirectoryOrCreate: 'a directory',
  File: 'a file',
  FileOrCreate: 'a file',
  Socket: 'a socket file',
  CharDevice: 'a character device',
  BlockDevice: 'a block device',
};

/** Checks a hostPath volume by its type, making what `…OrCreate` asks for. Throws in upstream's words. */
export async function checkHostPath({ path, type = '' }: HostPathVolumeSource): Promise<void> {
  const check = checks[type];
  if (!check) return;
  if (type === 'DirectoryOrCreate') await makeFolder(path);
  if (type === 'FileOrCreate') await makeFile(path);
  const stats = await stat(path).catch(() => undefined);
  if (!stats || !check(stats)) {
    throw new Error(`hostPath type check failed: ${path} is not ${kindNames[type]}`);
  }
}

/** A folder, where nothing has the name. */
async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path, { recursive: true, mode: 0o755 });
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error;
  }
}

/** An empty file, where nothing has the name: never through a link that somebody put there meanwhile. */
async function makeFile(path: string): Promise<void> {
  try {
    await writeFile(path, '', { flag: 'wx', mode: 0o644 });
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error;
  }
}

import { chmod, mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { hasCode, mount } from '@wherry/linux';

/** In memory nobody removes another's files: the kernel gives a tmpfs that bit, and upstream leaves it. */
export const everyoneInMemory = 0o1777;

/** Whether `path` is a mount point. */
export async function isMountPoint(path: string): Promise<boolean> {
  const [own, parent] = await Promise.all([
    stat(path).catch(() => undefined),
    stat(dirname(path)).catch(() => undefined),
  ]);
  return own !== undefined && parent !== undefined && own.dev !== parent.dev;
}

/** Where a folder lives: in memory that may be swapped where the kernel can not be told otherwise (before 6.4). */
export type MemoryPlace = 'memory' | 'swappable' | 'disk';

/**
 * Makes `path` a folder that lives in memory, of at most `sizeBytes` (0: the kernel's default). On disk when this
 * process may not mount: the folder is then an ordinary one.
 */
export async function makeMemoryFolder(
  path: string,
  options: { sizeBytes: number; mode: number },
): Promise<MemoryPlace> {
  await mkdir(path, { recursive: true });
  if (await isMountPoint(path)) return 'memory';
  const size = options.sizeBytes > 0 ? `,size=${options.sizeBytes}` : '';
  const data = `mode=${options.mode.toString(8)}${size}`;
  try {
    return mountTmpfs(path, data);
  } catch (error) {
    if (!hasCode(error, 'EPERM')) throw error;
    await chmod(path, options.mode);
    return 'disk';
  }
}

function mountTmpfs(target: string, data: string): MemoryPlace {
  const tmpfs = { target, source: 'tmpfs', type: 'tmpfs' };
  try {
    mount({ ...tmpfs, data: `${data},noswap` });
    return 'memory';
  } catch (error) {
    if (!hasCode(error, 'EINVAL')) throw error;
    mount({ ...tmpfs, data });
    return 'swappable';
  }
}

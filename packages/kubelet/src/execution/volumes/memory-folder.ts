import { chmod, mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { hasCode, mount } from '@wherry/linux';

/** Whether `path` is a mount point. */
export async function isMountPoint(path: string): Promise<boolean> {
  const [own, parent] = await Promise.all([
    stat(path).catch(() => undefined),
    stat(dirname(path)).catch(() => undefined),
  ]);
  return own !== undefined && parent !== undefined && own.dev !== parent.dev;
}

/**
 * Makes `path` a folder that lives in memory, of at most `sizeBytes` (0: the kernel's default). False when this
 * process may not mount: the folder is then an ordinary one.
 */
export async function makeMemoryFolder(
  path: string,
  options: { sizeBytes: number; mode: number },
): Promise<boolean> {
  await mkdir(path, { recursive: true });
  if (await isMountPoint(path)) return true;
  const size = options.sizeBytes > 0 ? `,size=${options.sizeBytes}` : '';
  try {
    mount({ target: path, source: 'tmpfs', type: 'tmpfs', data: `mode=${options.mode.toString(8)}${size}` });
    return true;
  } catch (error) {
    if (!hasCode(error, 'EPERM')) throw error;
    await chmod(path, options.mode);
    return false;
  }
}

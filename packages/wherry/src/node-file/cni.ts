import { resolve } from 'node:path';
import type { CniFolders } from '@wherry/node';

/** Where plug-ins are when nobody says otherwise, as with containerd. */
const usualPlugins = '/opt/cni/bin';

/** CNI's folders as a node keeps them, from paths relative to `folder`. */
export const cniFolders = (
  confDir: string,
  binDirs: readonly string[] = [usualPlugins],
  folder = '.',
): CniFolders => ({
  confDir: resolve(folder, confDir),
  binDirs: binDirs.map((path) => resolve(folder, path)),
});

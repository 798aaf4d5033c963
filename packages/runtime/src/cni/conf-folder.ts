import { readdirSync, readFileSync, statSync } from 'node:fs';
import { extname, join } from 'node:path';
import { hasCode } from '@wherry/linux';
import { messageOf, RuntimeError } from '../errors.ts';
import { limits } from '../limits.ts';
import { listFromPlugin, listFromText, type NetworkList, pluginFromText } from './network-list.ts';

const extensions = ['.conf', '.conflist', '.json'];

function filesIn(folder: string, wanted: readonly string[]): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => !entry.isDirectory() && wanted.includes(extname(entry.name)))
      .map(({ name }) => join(folder, name))
      .sort();
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return [];
    throw error;
  }
}

function readBounded(path: string): string {
  const status = statSync(path);
  // A pipe or a device would hold the runtime up for ever.
  if (!status.isFile()) throw new RuntimeError('INVALID_ARGUMENT', 'it is no regular file');
  if (status.size > limits.cniConfigBytesMax)
    throw new RuntimeError('INVALID_ARGUMENT', `it is larger than ${limits.cniConfigBytesMax} bytes`);
  return readFileSync(path, 'utf8');
}

/**
 * The network of a folder of configurations: that of its first file by name, as containerd and CRI-O choose it. Null when
 * there is no file. Throws `RuntimeError` INVALID_ARGUMENT that names the file.
 */
export function readConfFolder(folder: string): NetworkList | null {
  const [path] = filesIn(folder, extensions);
  if (path === undefined) return null;
  try {
    const text = readBounded(path);
    const list =
      extname(path) === '.conflist' ? withFolder(listFromText(text), folder) : listFromPlugin(text);
    if (list.plugins.length === 0 || list.plugins.length > limits.cniPluginsMax)
      throw new RuntimeError(
        'INVALID_ARGUMENT',
        `it has ${list.plugins.length} plugins; want 1 to ${limits.cniPluginsMax}`,
      );
    return list;
  } catch (error) {
    const kind = extname(path) === '.conflist' ? 'list file' : 'file';
    throw new RuntimeError(
      'INVALID_ARGUMENT',
      `failed to load CNI config ${kind} ${path}: ${messageOf(error)}`,
    );
  }
}

/** A list may have more plug-ins in a folder beside it that is named like the network (libcni 1.3). */
function withFolder(list: NetworkList, folder: string): NetworkList {
  if (list.isWhole) return list;
  const more = filesIn(join(folder, list.name), ['.conf']).map((path) => pluginFromText(readBounded(path)));
  return { ...list, plugins: [...list.plugins, ...more] };
}

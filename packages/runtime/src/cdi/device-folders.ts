import { readdir, readFile, stat } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { hasCode } from '@wherry/linux';
import { messageOf, RuntimeError } from '../errors.ts';
import { limits } from '../limits.ts';
import { type ContainerEdits, type DeviceFile, deviceFileFrom } from './device-file.ts';
import { parseDeviceName } from './device-name.ts';

interface Found {
  file: DeviceFile;
  path: string;
  /** The place of its folder among all: later ones go before earlier ones. */
  priority: number;
}

const extensions = new Set(['.json', '.yaml']);

async function filesIn(folder: string): Promise<string[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    const files = entries.filter((entry) => !entry.isDirectory() && extensions.has(extname(entry.name)));
    return files.map(({ name }) => join(folder, name)).sort();
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR')) return [];
    throw error;
  }
}

async function readDeviceFile(path: string): Promise<DeviceFile> {
  const status = await stat(path);
  // A pipe would keep one of the few threads that read files.
  if (!status.isFile()) throw new Error('it is no regular file');
  if (status.size > limits.cdiFileBytesMax)
    throw new Error(`it is larger than ${limits.cdiFileBytesMax} bytes`);
  return deviceFileFrom(await readFile(path, 'utf8'));
}

/** Folders of files that describe devices (Container Device Interface). They are read whenever a container wants a device. */
export class DeviceFolders {
  readonly #folders: readonly string[];

  constructor(folders: readonly string[]) {
    this.#folders = folders;
  }

  /**
   * What a container with these devices gets, in order: what a file has for all of its devices comes once, before the first. A file
   * that can't be read harms no devices but its own. Throws `RuntimeError` FAILED_PRECONDITION for a device that no file has, or
   * two files of one folder.
   */
  async editsOf(devices: readonly string[]): Promise<ContainerEdits[]> {
    if (devices.length === 0) return [];
    const problems: string[] = [];
    const found = await this.#read(problems);
    const used = new Set<DeviceFile>();
    return devices.flatMap((device) => {
      const { file, edits } = this.#find(device, found, problems);
      const common = used.has(file) ? [] : [file.edits];
      used.add(file);
      return [...common, edits];
    });
  }

  async #read(problems: string[]): Promise<Found[]> {
    const found: Found[] = [];
    for (const [priority, folder] of this.#folders.entries()) {
      const paths = await filesIn(folder);
      if (paths.length > limits.cdiFilesMax)
        problems.push(`${folder} has ${paths.length} files, of which ${limits.cdiFilesMax} are read`);
      for (const path of paths.slice(0, limits.cdiFilesMax)) {
        try {
          found.push({ file: await readDeviceFile(path), path, priority });
        } catch (error) {
          problems.push(`${path}: ${messageOf(error)}`);
        }
      }
    }
    return found;
  }

  #find(
    device: string,
    found: readonly Found[],
    problems: readonly string[],
  ): { file: DeviceFile; edits: ContainerEdits } {
    const { kind = '', name = '' } = parseDeviceName(device) ?? {};
    const having = found.filter(({ file }) => file.kind === kind && file.devices.has(name));
    const first = Math.max(...having.map(({ priority }) => priority));
    const [chosen, rival] = having.filter(({ priority }) => priority === first);
    const edits = chosen?.file.devices.get(name);
    if (!chosen || !edits) {
      const why = [`no file in ${this.#folders.join(', ')} describes it`, ...problems].join('; ');
      throw new RuntimeError('FAILED_PRECONDITION', `CDI device "${device}": ${why}`);
    }
    if (rival)
      throw new RuntimeError(
        'FAILED_PRECONDITION',
        `CDI device "${device}": both ${chosen.path} and ${rival.path} describe it; remove one`,
      );
    return { file: chosen.file, edits };
  }
}

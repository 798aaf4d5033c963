import {
  chmodSync,
  closeSync,
  constants,
  fstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  type Stats,
} from 'node:fs';
import { constants as system } from 'node:os';
import { hasCode, SyscallError } from '../errors.ts';
import { check, declare } from '../native.ts';
import {
  descriptorPath,
  type EntryPath,
  folderFlags,
  type LinkRule,
  type OpenInRootOptions,
  openInRoot,
  pathOnlyFlag,
} from './open-in-root.ts';
import { removeTree, removeTreeInTurns } from './remove-tree.ts';

const nativeFchmod = declare('int fchmod(int descriptor, uint mode)');
const nativeFchown = declare('int fchown(int descriptor, uint uid, uint gid)');

/** What folders that had to be made get. */
export interface NewFolders {
  /** Exact permission bits, whatever the umask. Default 0755. */
  mode?: number;
  /** Default: this process's. */
  owner?: { uid: number; gid: number };
  /** Links among the folders that are there already, see {@link LinkRule}. Default `inside`. */
  links?: LinkRule;
}

/**
 * A folder held by its descriptor. What is done through it happens in that very folder or below it, even while
 * something else renames it or puts links where names were: to be used for every root that containers, images or
 * users write to. Everything is synchronous. Close it, or declare it with `using`.
 */
export class OpenFolder implements Disposable {
  readonly descriptor: number;

  /** Takes over an open descriptor of a folder (O_PATH is enough). */
  constructor(descriptor: number) {
    this.descriptor = descriptor;
  }

  /** Opens a folder by a path of which nobody else writes a part. Throws Node's ENOENT, ENOTDIR. */
  static at(path: string): OpenFolder {
    return new OpenFolder(openSync(path, constants.O_RDONLY | constants.O_DIRECTORY));
  }

  /** The path that leads to this folder whatever becomes of its name: for mounts, and for calls that take only paths. */
  get path(): EntryPath {
    return descriptorPath(this.descriptor);
  }

  /** The path of this folder itself, for the calls that {@link entry} is for: attributes, owner, times. */
  get itself(): EntryPath {
    return `${this.path}/.` as EntryPath;
  }

  /**
   * The path of what has this name in this folder, for calls that do not follow a link at the end: Node's mkdir,
   * symlink, link, unlink, rmdir, rename, lchown, lutimes, readlink, lstat; this package's makeNode, setXattr,
   * getXattr, setTimes, unmount. Not for open, chmod, stat, mount: those follow. Throws EINVAL for what is no plain name.
   */
  entry(name: string): EntryPath {
    if (name === '' || name === '.' || name === '..' || name.includes('/') || name.includes('\0'))
      throw new SyscallError('entry', system.errno.EINVAL, `"${name}", which is no name of a file,`);
    return `${this.path}/${name}` as EntryPath;
  }

  /** Opens a file below; the caller closes the descriptor. See {@link openInRoot}. */
  open(path: string | Uint8Array, options: OpenInRootOptions = {}): number {
    return openInRoot(this.descriptor, path, options);
  }

  /** Opens a folder below. Throws as {@link openInRoot}, and ENOTDIR. */
  folder(path: string | Uint8Array, options: OpenInRootOptions = {}): OpenFolder {
    return new OpenFolder(this.open(path, { flags: folderFlags, ...options }));
  }

  /** What is at `path`; of a link at the end, the link itself. Undefined when nothing is there. */
  stat(path: string, options: Pick<OpenInRootOptions, 'links' | 'sameMount'> = {}): Stats | undefined {
    try {
      const descriptor = this.open(path, { ...options, flags: pathOnlyFlag | constants.O_NOFOLLOW });
      try {
        return fstatSync(descriptor);
      } finally {
        closeSync(descriptor);
      }
    } catch (error) {
      if (hasCode(error, 'ENOENT', 'ENOTDIR')) return undefined;
      throw error;
    }
  }

  /** The names in this folder, in no order. */
  names(): string[] {
    return readdirSync(this.path);
  }

  /**
   * Opens the folder at `path`, making what is missing of it step by step, each part inside the one before. A part that
   * somebody swaps for a link meanwhile is refused. Throws as {@link openInRoot}: ENOTDIR where a file stands in the
   * way, ELOOP for a link that leads nowhere, EINVAL for ".." below a part that is missing.
   */
  makeFolders(path: string, { mode = 0o755, owner, links = 'inside' }: NewFolders = {}): OpenFolder {
    const parts = path.split('/').filter((part) => part !== '' && part !== '.');
    let there = parts.length;
    let folder = this.#folderOrNone(parts, links);
    while (!folder) folder = this.#folderOrNone(parts.slice(0, --there), links);
    for (const part of parts.slice(there)) {
      using parent = folder;
      folder = makeFolder(parent, part, mode, owner);
    }
    return folder;
  }

  /** chmod(2) of what has this name; a link is refused with ELOOP. */
  setMode(name: string, mode: number): void {
    this.entry(name);
    const descriptor = this.open(name, { flags: pathOnlyFlag, links: 'refused' });
    try {
      chmodSync(descriptorPath(descriptor), mode);
    } finally {
      closeSync(descriptor);
    }
  }

  /** Removes what has this name, see {@link removeTree}. */
  remove(name: string): void {
    this.entry(name);
    removeTree(this.descriptor, name);
  }

  /** The same for trees that may be large: the event loop goes on meanwhile, see {@link removeTreeInTurns}. */
  async removeInTurns(name: string): Promise<void> {
    this.entry(name);
    await removeTreeInTurns(this.descriptor, name);
  }

  close(): void {
    closeSync(this.descriptor);
  }

  [Symbol.dispose](): void {
    this.close();
  }

  #folderOrNone(parts: readonly string[], links: LinkRule): OpenFolder | undefined {
    try {
      return this.folder(parts.join('/') || '.', { links });
    } catch (error) {
      if (parts.length > 0 && hasCode(error, 'ENOENT')) return undefined;
      throw error;
    }
  }
}

function makeFolder(parent: OpenFolder, name: string, mode: number, owner: NewFolders['owner']): OpenFolder {
  let isNew = true;
  try {
    mkdirSync(parent.entry(name), { mode: 0o700 });
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error;
    isNew = false;
  }
  // Not O_PATH, which fchmod refuses.
  const folder = parent.folder(name, { links: 'refused', flags: constants.O_DIRECTORY });
  if (!isNew) return folder;
  try {
    if (owner) check('fchown', nativeFchown(folder.descriptor, owner.uid, owner.gid), `"${name}"`);
    check('fchmod', nativeFchmod(folder.descriptor, mode), `"${name}"`);
    return folder;
  } catch (error) {
    folder.close();
    throw error;
  }
}

import { closeSync, constants, fchmodSync, lstatSync, mkdirSync, openSync, readlinkSync } from 'node:fs';
import { OpenFolder } from '@wherry/linux';
import { ImageError } from '../errors.ts';
import { limits } from '../limits.ts';
import { shown } from './entry-path.ts';

const implicitFolderMode = 0o755;

/** An open folder of a layer, and its real path there: no links in it. */
export interface LayerFolder {
  folder: OpenFolder;
  parts: readonly string[];
}

/** What to do about a folder that an entry lies in and no entry has brought. */
export type OnImplicitFolder = (made: LayerFolder & { name: string; descriptor: number }) => void;

/**
 * The folders of a layer that is being unpacked, by descriptors: each is opened from its parent's, link by link as a
 * process chrooted into the layer would go, so nothing in the layer leads out of it. They stay open for the entries
 * that follow, so that an entry costs no walk; what is answered holds until the next call.
 */
export class LayerFolders implements Disposable {
  readonly root: OpenFolder;
  readonly #open = new Map<string, LayerFolder>();
  readonly #onImplicit: OnImplicitFolder;
  /** Links followed for the path under way. */
  #links = 0;

  constructor(root: OpenFolder, onImplicit: OnImplicitFolder = () => {}) {
    this.root = root;
    this.#onImplicit = onImplicit;
  }

  /** The folders at these paths; what is missing is made with mode 0755. Throws `ImageError` INVALID_ARGUMENT. */
  at<Paths extends readonly (readonly string[])[]>(...paths: Paths): { [Path in keyof Paths]: LayerFolder } {
    if (this.#open.size >= limits.layerFoldersOpenMax) this[Symbol.dispose]();
    const found = paths.map((parts) => {
      this.#links = 0;
      return this.#walk(parts);
    });
    return found as { [Path in keyof Paths]: LayerFolder };
  }

  /** Closes the folder at a path and all below it: to be called when something else takes its place. */
  forgetBelow(parts: readonly string[]): void {
    const path = parts.join('/');
    for (const [key, { folder }] of this.#open) {
      if (key !== path && !key.startsWith(`${path}/`)) continue;
      this.#open.delete(key);
      folder.close();
    }
  }

  [Symbol.dispose](): void {
    for (const { folder } of this.#open.values()) folder.close();
    this.#open.clear();
  }

  #walk(parts: readonly string[]): LayerFolder {
    if (parts.length === 0) return { folder: this.root, parts: [] };
    const known = this.#open.get(parts.join('/'));
    return known ?? this.#step(this.#walk(parts.slice(0, -1)), parts.at(-1) as string);
  }

  /** The folder `name` in `parent`, through a link when it is one. */
  #step(parent: LayerFolder, name: string): LayerFolder {
    const parts = [...parent.parts, name];
    const key = parts.join('/');
    const known = this.#open.get(key);
    if (known) return known;
    const path = parent.folder.entry(name);
    const status = lstatSync(path, { throwIfNoEntry: false });
    if (status?.isSymbolicLink()) return this.#follow(parent, readlinkSync(path), parts);
    if (status && !status.isDirectory())
      throw new ImageError('INVALID_ARGUMENT', `layer entry runs through ${shown(key)}, no directory`);
    if (!status) mkdirSync(path, { mode: implicitFolderMode });
    const descriptor = openSync(path, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
    try {
      if (!status) {
        fchmodSync(descriptor, implicitFolderMode);
        this.#onImplicit({ ...parent, name, descriptor });
      }
    } catch (error) {
      closeSync(descriptor);
      throw error;
    }
    const found = { folder: new OpenFolder(descriptor), parts };
    this.#open.set(key, found);
    return found;
  }

  #follow(parent: LayerFolder, target: string, at: readonly string[]): LayerFolder {
    if (++this.#links > limits.symlinksMax)
      throw new ImageError(
        'INVALID_ARGUMENT',
        `too many symbolic links at ${shown(at.join('/'))} of a layer`,
      );
    const parts = target.startsWith('/') ? [] : [...parent.parts];
    for (const part of target.split('/')) {
      if (part === '' || part === '.') continue;
      if (part !== '..') {
        // A link may lead through another one, so ".." after it is about where that leads.
        const next = this.#walk([...parts, part]);
        parts.splice(0, parts.length, ...next.parts);
      } else if (parts.pop() === undefined) {
        throw new ImageError(
          'INVALID_ARGUMENT',
          `layer entry leaves the root of the image by the symbolic link ${shown(at.join('/'))} to ${shown(target)}`,
        );
      }
    }
    return this.#walk(parts);
  }
}

import { lstatSync, mkdirSync, readlinkSync, type Stats } from 'node:fs';
import { RuntimeError } from '../errors.ts';
import { limits } from '../limits.ts';

const implicitDirectoryMode = 0o755;

/** The parts of a path inside a root; `..` that would leave the root is refused. */
export function insideParts(path: string): string[] {
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '' || part === '.') continue;
    if (part !== '..') parts.push(part);
    else if (parts.pop() === undefined) {
      throw new RuntimeError('INVALID_ARGUMENT', `layer entry "${path}" leads out of the root of the image`);
    }
  }
  return parts;
}

/** lstat that answers undefined for what is absent. */
export const lstatOf = (path: string): Stats | undefined => lstatSync(path, { throwIfNoEntry: false });

/**
 * Finds directories inside a root that nobody else changes meanwhile. Symbolic links on the way are followed as a
 * process chrooted there would, except that a link which climbs above the root is refused.
 */
export class LayerPaths {
  readonly root: string;
  /** Directories already known to be real, so that deep trees cost one lstat per directory. */
  readonly #known = new Map<string, string>();

  constructor(root: string) {
    this.root = root;
  }

  /** Forgets what is known: to be called after a directory was replaced. */
  forget(): void {
    this.#known.clear();
  }

  /** The real folder and last name of an entry. Missing parents are made with mode 0755. */
  locate(path: string): { folder: string; name: string; full: string } {
    const parts = insideParts(path);
    const name = parts.pop() ?? '';
    const key = parts.join('/');
    let folder = this.#known.get(key);
    if (folder === undefined) {
      folder = this.#walk(parts, path);
      this.#known.set(key, folder);
    }
    return { folder, name, full: name === '' ? folder : `${folder}/${name}` };
  }

  #walk(parts: string[], path: string): string {
    const done: string[] = [];
    const left = [...parts].reverse();
    let links = 0;
    while (left.length > 0) {
      const part = left.pop() as string;
      if (part === '..') {
        if (done.pop() === undefined) throw this.#escapes(path);
        continue;
      }
      const full = [this.root, ...done, part].join('/');
      const status = lstatOf(full);
      if (status?.isSymbolicLink()) {
        if (++links > limits.symlinksMax)
          throw new RuntimeError('INVALID_ARGUMENT', `too many symbolic links in "${path}"`);
        const target = readlinkSync(full);
        if (target.startsWith('/')) done.length = 0;
        left.push(
          ...target
            .split('/')
            .filter((name) => name !== '' && name !== '.')
            .reverse(),
        );
        continue;
      }
      if (status === undefined) mkdirSync(full, { mode: implicitDirectoryMode });
      else if (!status.isDirectory())
        throw new RuntimeError('INVALID_ARGUMENT', `"${path}" runs through "${part}", no directory`);
      done.push(part);
    }
    return [this.root, ...done].join('/');
  }

  #escapes(path: string): RuntimeError {
    return new RuntimeError(
      'INVALID_ARGUMENT',
      `layer entry "${path}" leaves the root of the image by a symbolic link`,
    );
  }
}

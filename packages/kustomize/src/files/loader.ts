/** Reads what a kustomization names: files in and below its folder, and folders that hold kustomizations. */
import { KustomizeError } from '../errors.ts';
import { limits } from '../limits.ts';
import type { FileTree } from './file-tree.ts';
import { isRemote, remoteRefusal } from './remote.ts';

export interface LoaderOptions {
  files: FileTree;
  /** Whether files outside of the folder may be read. */
  mayLeaveRoot: boolean;
}

/** How many kustomizations a build has come to. */
interface Count {
  folders: number;
}

export class Loader {
  /** The folder, all links followed. */
  readonly root: string;
  readonly #options: LoaderOptions;
  readonly #referrer: Loader | undefined;
  readonly #count: Count;

  /** Throws KustomizeError where too many were before. */
  private constructor(root: string, options: LoaderOptions, referrer?: Loader) {
    this.root = root;
    this.#options = options;
    this.#referrer = referrer;
    this.#count = referrer ? referrer.#count : { folders: 0 };
    if (++this.#count.folders > limits.kustomizationsMax)
      throw new KustomizeError(`a build may have ${limits.kustomizationsMax} kustomizations`);
  }

  /** Throws KustomizeError where no folder is. */
  static at(path: string, options: LoaderOptions): Loader {
    if (isRemote(path)) throw new KustomizeError(remoteRefusal(path));
    return new Loader(folderAt(options.files, normalPath(path)), options);
  }

  /** The loader of another kustomization. Throws KustomizeError where it is this one, or one of those that led here. */
  descend(path: string): Loader {
    if (path === '') throw new KustomizeError('new root cannot be empty');
    if (isRemote(path)) throw new KustomizeError(remoteRefusal(path));
    if (path.startsWith('/')) throw new KustomizeError(`new root '${path}' cannot be absolute`);
    const root = folderAt(this.#options.files, normalPath(`${this.root}/${path}`));
    let depth = 0;
    for (let visited: Loader | undefined = this; visited; visited = visited.#referrer) {
      if (isWithin(visited.root, root))
        throw new KustomizeError(
          `cycle detected: candidate root '${root}' contains visited root '${visited.root}'`,
        );
      if (++depth > limits.basesDepthMax)
        throw new KustomizeError(`kustomizations are more than ${limits.basesDepthMax} deep in each other`);
    }
    return new Loader(root, this.#options, this);
  }

  /** True for the folder of a kustomization that another one stands on. */
  get isBelow(): boolean {
    return this.#referrer !== undefined;
  }

  /** True for a file that could be loaded. */
  has(path: string): boolean {
    const found = this.#options.files.locate(normalPath(`${this.root}/${path}`));
    return found !== undefined && !found.isFolder && this.#mayRead(found.path);
  }

  /** Throws KustomizeError for what is no file, and for one outside of the folder. */
  load(path: string): Uint8Array {
    if (/^https?:\/\//.test(path)) throw new KustomizeError(remoteRefusal(path));
    const full = normalPath(path.startsWith('/') ? path : `${this.root}/${path}`);
    const found = this.#options.files.locate(full);
    if (!found)
      throw new KustomizeError(`evalsymlink failure on '${full}' : lstat ${full}: no such file or directory`);
    if (found.isFolder) throw new KustomizeError(`'${full}' must resolve to a file`);
    if (!this.#mayRead(found.path))
      throw new KustomizeError(`security; file '${full}' is not in or below '${this.root}'`);
    return this.#options.files.read(found.path);
  }

  #mayRead(path: string): boolean {
    return this.#options.mayLeaveRoot || isWithin(path, this.root);
  }

  loadText(path: string): string {
    return new TextDecoder('utf-8', { ignoreBOM: true }).decode(this.load(path));
  }
}

function folderAt(files: FileTree, full: string): string {
  const found = files.locate(full);
  if (!found)
    throw new KustomizeError(
      `must build at directory: not a valid directory: evalsymlink failure on '${full}' : lstat ${full}: no such file or directory`,
    );
  if (found.isFolder) return found.path;
  throw new KustomizeError(`must build at directory: '${full}': file is not directory`);
}

const isWithin = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(folder === '/' ? '/' : `${folder}/`);

/** Without `.`, `..` and doubled slashes. */
function normalPath(path: string): string {
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return `/${parts.join('/')}`;
}

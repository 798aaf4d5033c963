import { closeSync, constants, fstatSync, lstatSync, openSync, type Stats } from 'node:fs';
import { getXattr, hasCode, OpenFolder } from '@wherry/linux';
import { ImageError } from '../errors.ts';
import { limits } from '../limits.ts';

/** overlayfs's mark on a folder that hides what lower layers have in it. */
export const opaqueAttribute = 'trusted.overlay.opaque';

const folderOnly = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;

/** Something in a lower layer: a name in an open folder. */
export interface LowerEntry {
  folder: OpenFolder;
  name: string;
  status: Stats;
}

/**
 * The layers below the one that is being unpacked, seen as overlayfs would merge them. No link is followed. What is looked for is looked for in one
 * after the other, so that there is a bound on how often.
 */
export class LowerLayers implements Disposable {
  readonly #layers: readonly OpenFolder[];
  #steps = 0;

  /** `roots`: the layers' folders, nearest first. */
  constructor(roots: readonly string[]) {
    const layers: OpenFolder[] = [];
    try {
      for (const root of roots) layers.push(OpenFolder.at(root));
    } catch (error) {
      for (const layer of layers) layer.close();
      throw error;
    }
    this.#layers = layers;
  }

  get count(): number {
    return this.#layers.length;
  }

  /** Shows `use` what is at this path, unless nothing is, or a nearer layer hides it. Throws `ImageError` INVALID_ARGUMENT past the bound. */
  find<Result>(parts: readonly string[], use: (entry: LowerEntry) => Result): Result | undefined {
    for (const layer of this.#layers) {
      this.#steps += parts.length;
      if (this.#steps > limits.lowerStepsMax)
        throw new ImageError(
          'INVALID_ARGUMENT',
          `a layer needs more of the ${this.count} layers below it than may be looked for: ${limits.lowerStepsMax} folders and names`,
        );
      const held: OpenFolder[] = [];
      try {
        const looked = lookUp(layer, parts, held);
        if (looked === 'hidden') return undefined;
        if (looked !== 'absent') return use(looked);
      } finally {
        for (const folder of held) folder.close();
      }
    }
    return undefined;
  }

  [Symbol.dispose](): void {
    for (const layer of this.#layers) layer.close();
  }
}

function lookUp(
  layer: OpenFolder,
  parts: readonly string[],
  held: OpenFolder[],
): LowerEntry | 'hidden' | 'absent' {
  let folder = layer;
  let isOpaque = isMarkedOpaque(layer);
  for (const part of parts.slice(0, -1)) {
    try {
      folder = new OpenFolder(openSync(folder.entry(part), folderOnly));
    } catch (error) {
      if (hasCode(error, 'ENOENT')) return isOpaque ? 'hidden' : 'absent';
      if (hasCode(error, 'ENOTDIR', 'ELOOP')) return 'hidden';
      throw error;
    }
    held.push(folder);
    isOpaque ||= isMarkedOpaque(folder);
  }
  const name = parts.at(-1) ?? '';
  const status = lstatSync(folder.entry(name), { throwIfNoEntry: false });
  if (!status) return isOpaque ? 'hidden' : 'absent';
  const isWhiteout = status.isCharacterDevice() && status.rdev === 0;
  return isWhiteout ? 'hidden' : { folder, name, status };
}

const isMarkedOpaque = (folder: OpenFolder): boolean => {
  const mark = getXattr(folder.itself, opaqueAttribute);
  return mark !== null && Buffer.from(mark).toString() === 'y';
};

/** Opens a regular file of a lower layer for reading. Throws ELOOP for a link; the caller closes it. */
export function openLowerFile({ folder, name }: LowerEntry): number {
  const descriptor = openSync(
    folder.entry(name),
    constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK,
  );
  if (fstatSync(descriptor).isFile()) return descriptor;
  closeSync(descriptor);
  throw new Error(`"${name}" of a lower layer is no regular file`);
}

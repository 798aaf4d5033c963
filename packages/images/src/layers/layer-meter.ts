import { ImageError } from '../errors.ts';
import { limits } from '../limits.ts';
import type { TarEntry } from '../tar/header.ts';
import { shown } from './entry-path.ts';

/** How much one layer may unpack to. */
export interface UnpackBounds {
  /** Bytes of all files, holes not counted. */
  layerBytesMax: number;
  /** Bytes of one file, holes counted. */
  fileBytesMax: number;
  entriesMax: number;
  /** Unpacked bytes for each packed one; looked at only beyond `freeOfRatioBytes`. */
  compressionRatioMax: number;
  freeOfRatioBytes: number;
}

/** The bounds of limits.ts. */
export const defaultUnpackBounds: UnpackBounds = {
  layerBytesMax: limits.imageUnpackedBytesMax,
  fileBytesMax: limits.unpackedFileBytesMax,
  entriesMax: limits.layerEntriesMax,
  compressionRatioMax: limits.compressionRatioMax,
  freeOfRatioBytes: limits.freeOfRatioBytes,
};

const blockBytes = 4096;
const tooMuch = (why: string) => new ImageError('INVALID_ARGUMENT', `layer ${why}; it is refused`);

/** Counts what a layer takes on disk, and stops the one that takes too much. Throws `ImageError` INVALID_ARGUMENT. */
export class LayerMeter {
  readonly usage = { bytes: 0, inodes: 0 };
  readonly #bounds: UnpackBounds;
  #entries = 0;

  constructor(bounds: UnpackBounds) {
    this.#bounds = bounds;
  }

  /** An entry of the archive: whiteouts, links and repeated ones count as well, since each is work. */
  entry({ path, size }: Pick<TarEntry, 'path' | 'size'>): void {
    const { entriesMax, fileBytesMax } = this.#bounds;
    if (++this.#entries > entriesMax) throw tooMuch(`has more than ${entriesMax} entries`);
    if (size > fileBytesMax)
      throw tooMuch(`entry ${shown(path)} has ${size} bytes, more than ${fileBytesMax}`);
  }

  inode(): void {
    this.usage.inodes++;
  }

  /** A file of which so many bytes are written. */
  file(bytes: number): void {
    this.usage.bytes += Math.ceil(bytes / blockBytes) * blockBytes;
    const { layerBytesMax } = this.#bounds;
    if (this.usage.bytes > layerBytesMax) throw tooMuch(`unpacks to more than ${layerBytesMax} bytes`);
  }
}

/** Stops a stream that unpacks to far more than what came in. Throws `ImageError` INVALID_ARGUMENT. */
export function checkRatio(bounds: UnpackBounds, bytes: { packed: number; plain: number }): void {
  const { compressionRatioMax, freeOfRatioBytes } = bounds;
  if (bytes.plain > freeOfRatioBytes && bytes.plain > bytes.packed * compressionRatioMax) {
    throw tooMuch(
      `is packed more than ${compressionRatioMax} times smaller than it is, like an archive made to fill disks`,
    );
  }
}

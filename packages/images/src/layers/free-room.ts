import { statfsSync } from 'node:fs';
import { ImageError } from '../errors.ts';
import { limits } from '../limits.ts';

/** Keeps an image from taking the last of a disk, which others need for their records and logs. */
export class FreeRoom {
  readonly #folder: string;
  #unchecked = 0;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** To be called before so much is written. Throws `ImageError` UNKNOWN when too little would be left. */
  check(bytes: number): void {
    this.#unchecked -= bytes;
    if (this.#unchecked >= 0) return;
    const { bavail, blocks, bsize } = statfsSync(this.#folder);
    const free = bavail * bsize;
    const reserve = Math.min(limits.unpackReserveBytes, blocks * bsize * limits.unpackReserveShare);
    if (free < reserve)
      throw new ImageError(
        'UNKNOWN',
        `no space left on device for images: ${free} bytes are free at "${this.#folder}"`,
      );
    // The less is left, the sooner it is looked at again.
    this.#unchecked = Math.min(limits.freeRoomCheckBytes, (free - reserve) / 2);
  }
}

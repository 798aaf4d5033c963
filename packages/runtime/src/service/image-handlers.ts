import type { Clock } from '@wherry/clock';
import type { FilesystemUsage, ImageServiceHandlers, Input } from '@wherry/cri';
import type { ImageStore, PullOptions, StoredImage } from '@wherry/images';
import { imageInfo } from '../answers/info.ts';
import { toImage } from '../answers/messages.ts';
import { RuntimeError } from '../errors.ts';

/** What the image service answers from. */
export interface ImageHandlersOptions {
  images: ImageStore;
  clock: Clock;
  /** Fetches an image from its registry. */
  pull(name: string, options: PullOptions): Promise<StoredImage>;
}

const nsPerMs = 1_000_000;

/** The handlers of CRI's image service. */
export function imageHandlers({ images, clock, pull }: ImageHandlersOptions): ImageServiceHandlers {
  const { catalog } = images;
  const matching = (name: string | undefined): StoredImage[] => {
    if (!name) return catalog.list();
    const found = catalog.resolve(name);
    return found ? [found] : [];
  };
  return {
    async listImages({ filter }) {
      return { images: matching(filter?.image?.image).map(toImage) };
    },
    async *streamImages({ filter }) {
      for (const image of matching(filter?.image?.image)) yield { images: [toImage(image)] };
    },
    async imageStatus({ image, verbose }) {
      const found = catalog.resolve(required(image?.image));
      if (!found) return {};
      return { image: toImage(found), info: verbose ? await imageInfo(images, found) : {} };
    },
    async pullImage({ image, auth }, { signal }) {
      return { imageRef: (await pull(required(image?.image), { auth, signal })).id };
    },
    async removeImage({ image }) {
      await images.remove(required(image?.image));
      return {};
    },
    async imageFsInfo() {
      const { bytes, inodes } = images.usage();
      const usage: Input<FilesystemUsage> = {
        timestamp: BigInt(Math.floor(clock.nowMs() * nsPerMs)),
        fsId: { mountpoint: images.root },
        usedBytes: { value: bytes },
        inodesUsed: { value: inodes },
      };
      return { imageFilesystems: [usage], containerFilesystems: [usage] };
    },
  };
}

function required(name: string | undefined): string {
  if (!name) throw new RuntimeError('INVALID_ARGUMENT', 'the request names no image');
  return name;
}

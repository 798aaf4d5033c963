import { CriError, type Image, type ImageServiceHandlers } from '@wherry/cri';
import type { PodProvider, ProvidedImage } from '../provider.ts';

interface KnownImage extends ProvidedImage {
  names: Set<string>;
}

/** Where images count as kept. */
export interface ImagesOptions {
  /** Folder of the file system whose room the kubelet looks at. */
  folder: string;
  nowNs(): bigint;
}

/** The images that pods have asked for; whether there are others only the provider knows. */
export class Images {
  readonly #provider: PodProvider;
  readonly #options: ImagesOptions;
  readonly #known = new Map<string, KnownImage>();

  constructor(provider: PodProvider, options: ImagesOptions) {
    this.#provider = provider;
    this.#options = options;
  }

  /** By a name or an id. Throws `CriError` NOT_FOUND for one that nobody has asked for. */
  find(text: string): ProvidedImage {
    const found = this.#find(text);
    if (!found) throw new CriError('NOT_FOUND', `image "${text}" was not pulled`);
    return found;
  }

  get handlers(): ImageServiceHandlers {
    return {
      pullImage: async ({ image }, { signal }) => {
        const name = image?.image ?? '';
        const found = await this.#provider.image(name, { signal });
        const known = this.#known.get(found.id) ?? { ...found, names: new Set<string>() };
        for (const other of this.#known.values()) other.names.delete(name);
        known.names.add(name);
        this.#known.set(found.id, known);
        return { imageRef: found.id };
      },
      imageStatus: async ({ image }) => {
        const found = this.#find(image?.image ?? '');
        return { image: found && message(found) };
      },
      listImages: async ({ filter }) => {
        const wanted = filter?.image?.image ?? '';
        const found = wanted === '' ? [...this.#known.values()] : [this.#find(wanted)];
        return { images: found.filter((image) => image !== undefined).map(message) };
      },
      removeImage: async ({ image }) => {
        const found = this.#find(image?.image ?? '');
        if (found) this.#known.delete(found.id);
        return {};
      },
      imageFsInfo: async () => ({
        imageFilesystems: [
          {
            timestamp: this.#options.nowNs(),
            fsId: { mountpoint: this.#options.folder },
            usedBytes: {
              value: [...this.#known.values()].reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
            },
          },
        ],
        containerFilesystems: [],
      }),
    };
  }

  #find(text: string): KnownImage | undefined {
    return this.#known.get(text) ?? [...this.#known.values()].find(({ names }) => names.has(text));
  }
}

const message = ({ id, sizeBytes, names }: KnownImage): Image => ({
  ...{ id, repoTags: [...names], repoDigests: [], size: sizeBytes, username: '', pinned: false },
});

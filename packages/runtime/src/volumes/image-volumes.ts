import { existsSync, lstatSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join, posix } from 'node:path';
import type { Mount } from '@wherry/cri';
import type { ImageStore, StoredImage } from '@wherry/images';
import { type Digest, hexOf } from '@wherry/images';
import { messageOf, RuntimeError } from '../errors.ts';
import { extraOptions } from '../spec/mounts.ts';
import type { OciMount } from '../spec/oci-spec.ts';
import { folderInRoot } from '../spec/root-files.ts';
import { type LayerOwners, mountOverlay, overlayParts, unmountOverlay } from './overlay.ts';

/** An image mounted for the containers of one sandbox. */
export interface ImageVolume {
  containerPath: string;
  imageId: Digest;
  layerKeys: string[];
}

const folderName = 'images';

/** The kubelet counts failures whose message starts with this word. */
const failed = (why: string) => new RuntimeError('UNKNOWN', `ImageVolumeMountFailed: ${why}`);

const isImageMount = (mount: Mount): boolean => Boolean(mount.image?.image);

/** Mounts of whole images (`Mount.image`): one read-only view per sandbox and image, shared by its containers. */
export class ImageVolumes {
  readonly #images: ImageStore;

  constructor(images: ImageStore) {
    this.#images = images;
  }

  /** The images that a container asks for which are here. */
  imagesOf(mounts: readonly Mount[]): StoredImage[] {
    return mounts
      .filter(isImageMount)
      .flatMap((mount) => this.#images.catalog.resolve(mount.image?.image ?? '') ?? []);
  }

  /** Mounts what a container asks for below the sandbox's folder. Throws `RuntimeError` with the kubelet's word. */
  prepare(
    { folder: sandboxFolder, owners }: { folder: string; owners: LayerOwners | undefined },
    mounts: readonly Mount[],
  ): { mounts: OciMount[]; volumes: ImageVolume[] } {
    const wanted = mounts.filter(isImageMount).map((mount) => {
      check(mount);
      const image = this.#images.catalog.resolve(mount.image?.image ?? '');
      if (!image) throw failed(`image "${mount.image?.image}" is not on this machine`);
      return { mount, image };
    });
    return {
      mounts: wanted.map(({ mount, image }) => this.#mount({ sandboxFolder, owners, mount, image })),
      volumes: wanted.map(({ mount, image }) => ({
        containerPath: mount.containerPath,
        imageId: image.id,
        layerKeys: image.layerKeys,
      })),
    };
  }

  /** Takes all image mounts of a sandbox away. None is fine. */
  release(sandboxFolder: string): void {
    const folder = join(sandboxFolder, folderName);
    if (!existsSync(folder)) return;
    for (const name of readdirSync(folder)) unmountOverlay(join(folder, name));
    rmSync(folder, { recursive: true, force: true });
  }

  #mount(made: {
    sandboxFolder: string;
    owners: LayerOwners | undefined;
    mount: Mount;
    image: StoredImage;
  }): OciMount {
    const { sandboxFolder, owners, mount, image } = made;
    const folder = join(sandboxFolder, folderName, hexOf(image.id));
    const root = join(folder, overlayParts.root);
    if (!isMounted(folder, root)) {
      // What an earlier attempt left, without a mount, would be shown as an empty image.
      rmSync(folder, { recursive: true, force: true });
      try {
        mkdirSync(folder, { recursive: true, mode: 0o700 });
        const { layerKeys } = image;
        mountOverlay({ layersRoot: this.#images.layers.root, layerKeys, folder, owners });
      } catch (error) {
        rmSync(folder, { recursive: true, force: true });
        throw error;
      }
    }
    const source = mount.imageSubPath === '' ? root : subPath(root, mount.imageSubPath);
    return {
      destination: posix.join('/', mount.containerPath),
      type: 'bind',
      source,
      options: ['rbind', 'rprivate', 'ro', ...extraOptions(mount)],
    };
  }
}

/** Whether something is mounted on `root`: it lies on another device than its folder then. */
function isMounted(folder: string, root: string): boolean {
  const [outer, inner] = [folder, root].map((path) => lstatSync(path, { throwIfNoEntry: false }));
  return outer !== undefined && inner !== undefined && outer.dev !== inner.dev;
}

function check(mount: Mount): void {
  if (mount.hostPath !== '')
    throw failed(`"${mount.containerPath}" names an image and the host path "${mount.hostPath}"`);
  if (!mount.readonly) throw failed(`"${mount.containerPath}" must be read-only`);
}

function subPath(root: string, path: string): string {
  if (path.startsWith('/') || path.split('/').includes('..'))
    throw failed(`sub path "${path}" must stay inside the image`);
  let found: string | undefined;
  try {
    found = folderInRoot(root, path);
  } catch (error) {
    throw failed(`sub path: ${messageOf(error)}`);
  }
  if (found === undefined) throw failed(`sub path "${path}" is not in the image`);
  return found;
}

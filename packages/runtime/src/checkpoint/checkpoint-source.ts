import { lstatSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { type ImageStore, LayerStore, type StoredImage } from '@wherry/images';
import type { CheckpointFolders } from '@wherry/monitor-api';
import { messageOf, RuntimeError } from '../errors.ts';
import { limits } from '../limits.ts';
import { overlayParts } from '../volumes/overlay.ts';
import { checkpointFiles } from './checkpoint-files.ts';
import { placeLog } from './log-copy.ts';

/** Where a container's checkpoint comes from. */
export type CheckpointSource = { name: string; archive: string } | { name: string; image: StoredImage };

/** Manifests of images that are checkpoints have one of these: checkpointctl's, and that of older CRI-Os. */
const annotations = [
  'org.criu.checkpoint.container.name',
  'io.kubernetes.cri-o.annotations.checkpoint.name',
] as const;

/** In the container's folder, until its processes are back. */
const parts = { content: 'restored', work: 'restore-work' } as const;

/** What CRIU is given to bring a container's processes back. */
export const restoreFolders = (folder: string): CheckpointFolders => ({
  imagePath: join(folder, parts.content, checkpointFiles.images),
  workPath: join(folder, parts.work),
});

/**
 * Checkpoints that containers are brought back from. Of what lies in one, CRIU gets its own image files and the root file system
 * what the container wrote; whose container it is, its mounts, limits and rights of the machine are the request's.
 */
export class CheckpointSources {
  readonly #images: ImageStore;
  readonly #restoresImages: boolean;

  constructor({ images, restoresImages }: { images: ImageStore; restoresImages: boolean }) {
    this.#images = images;
    this.#restoresImages = restoresImages;
  }

  /**
   * The checkpoint that a container's image names: the absolute path of an archive, or an image that says it is one. Undefined for
   * any other image. Throws `RuntimeError` FAILED_PRECONDITION for an image where those are not restored.
   */
  async find(name: string): Promise<CheckpointSource | undefined> {
    if (isAbsolute(name)) return { name, archive: name };
    const image = this.#images.catalog.resolve(name);
    if (!image || !(await this.#isCheckpoint(image))) return undefined;
    if (this.#restoresImages) return { name, image };
    throw new RuntimeError(
      'FAILED_PRECONDITION',
      `image "${name}" is a checkpoint of a container: who made it decides what its processes may do on this machine, so it is not restored; start the runtime with --restore-checkpoint-images to trust such images`,
    );
  }

  /** Unpacks a checkpoint into a container's new folder, and answers the image that the container was made from. */
  async unpack(source: CheckpointSource, folder: string): Promise<StoredImage> {
    const content = join(folder, parts.content);
    for (const path of [content, join(folder, parts.work)]) await mkdir(path, { mode: 0o700 });
    try {
      await this.#unpackContent(source, content);
      checkImages(join(content, checkpointFiles.images));
      const image = this.#baseImage(content);
      await this.#unpackRootDiff(image, join(content, checkpointFiles.rootDiff), folder);
      return image;
    } catch (error) {
      const code = error instanceof RuntimeError ? error.code : 'INVALID_ARGUMENT';
      throw new RuntimeError(code, `checkpoint "${source.name}": ${messageOf(error)}`, { cause: error });
    }
  }

  /** Begins the container's log with what it had logged by then, as containerd does. */
  async placeLog(folder: string, logPath: string): Promise<void> {
    const path = join(folder, parts.content, checkpointFiles.log);
    if (logPath !== '' && isFile(path)) await placeLog(path, logPath);
  }

  /** The processes are back, or won't come: nothing of the checkpoint is needed any more. */
  async clear(folder: string): Promise<void> {
    for (const name of Object.values(parts)) await this.#images.pool.removeTree(folder, name);
  }

  /** Images that run something are none, so that those cost no look at a disk. */
  async #isCheckpoint({ config, manifestDigest }: StoredImage): Promise<boolean> {
    if (config.cmd.length > 0 || config.entrypoint.length > 0) return false;
    const manifest: unknown = JSON.parse((await this.#images.blobs.get(manifestDigest)).toString());
    const said = (manifest as { annotations?: unknown }).annotations;
    return typeof said === 'object' && said !== null && annotations.some((name) => Object.hasOwn(said, name));
  }

  async #unpackContent(source: CheckpointSource, content: string): Promise<void> {
    const { pool, bounds, layers } = this.#images;
    if ('archive' in source) {
      const path = source.archive;
      const length = statSync(path).size;
      await pool.unpack({ source: { path, offset: 0, length }, folder: content, parents: [], bounds });
      return;
    }
    const [layer, ...others] = source.image.layerKeys;
    if (layer === undefined || others.length > 0)
      throw new RuntimeError(
        'UNIMPLEMENTED',
        `it has ${source.image.layerKeys.length} layers, where one is read`,
      );
    const letGo = this.#images.hold(source.image);
    try {
      await pool.copyFolder(join(layers.root, LayerStore.folderOf(layer)), '/', content);
    } finally {
      letGo();
    }
  }

  #baseImage(content: string): StoredImage {
    const { rootfsImageRef, rootfsImageName } = readConfig(join(content, checkpointFiles.config));
    const name = rootfsImageRef || rootfsImageName;
    if (!name) throw new Error(`"${checkpointFiles.config}" names no image`);
    const image = this.#images.catalog.resolve(name);
    if (image) return image;
    throw new RuntimeError(
      'NOT_FOUND',
      `its container was made from the image "${name}" (${rootfsImageName || 'no name'}), which is not on this machine; pull it first`,
    );
  }

  async #unpackRootDiff({ layerKeys }: StoredImage, path: string, folder: string): Promise<void> {
    const deleted = join(folder, parts.content, checkpointFiles.deletedFiles);
    if (isFile(deleted) && !/^\s*(null|\[\s*\])\s*$/.test(readText(deleted)))
      throw new RuntimeError(
        'UNIMPLEMENTED',
        `"${checkpointFiles.deletedFiles}" lists files, as CRI-O's checkpoints do: only marks in "${checkpointFiles.rootDiff}" are read`,
      );
    if (!isFile(path)) return;
    const { pool, bounds, layers } = this.#images;
    const upper = join(folder, overlayParts.upper);
    await mkdir(upper, { mode: 0o755 });
    const parents = [...layerKeys].reverse().map((key) => join(layers.root, LayerStore.folderOf(key)));
    const source = { path, offset: 0, length: statSync(path).size };
    await pool.unpack({ source, folder: upper, parents, bounds });
  }
}

const factsOf = (path: string) => lstatSync(path, { throwIfNoEntry: false });
const isFile = (path: string): boolean => factsOf(path)?.isFile() === true;

/** CRIU follows what leads out of the folder, and would show a container what is there. */
function checkImages(folder: string): void {
  if (!factsOf(folder)?.isDirectory()) throw new Error(`it has no folder "${checkpointFiles.images}"`);
  const names = readdirSync(folder);
  if (names.length > limits.checkpointImagesMax)
    throw new Error(
      `"${checkpointFiles.images}" holds ${names.length} files, more than ${limits.checkpointImagesMax}`,
    );
  for (const name of names)
    if (!isFile(join(folder, name)))
      throw new Error(`"${checkpointFiles.images}/${name}" is no regular file`);
}

function readText(path: string): string {
  const facts = factsOf(path);
  if (!facts?.isFile()) throw new Error(`it has no file "${checkpointFiles.config}"`);
  if (facts.size > limits.checkpointDocumentBytesMax)
    throw new Error(`a document of ${facts.size} bytes is too large`);
  return readFileSync(path, 'utf8');
}

function readConfig(path: string): { rootfsImageRef: string; rootfsImageName: string } {
  const config = JSON.parse(readText(path)) as Record<string, unknown> | null;
  const text = (name: string) => {
    const value = config !== null && Object.hasOwn(config, name) ? config[name] : '';
    return typeof value === 'string' ? value : '';
  };
  return { rootfsImageRef: text('rootfsImageRef'), rootfsImageName: text('rootfsImageName') };
}

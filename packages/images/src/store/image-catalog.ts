import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { makePrivateFolder, readRecords, syncDirectory, writeFileAtomic } from '@wherry/linux';
import type { Logger } from '@wherry/telemetry';
import { ImageError, messageOf } from '../errors.ts';
import { type Digest, hexOf, isDigest } from '../layers/digest.ts';
import { artifactConfig } from './artifact.ts';
import type { BlobStore } from './blob-store.ts';
import { type ImageConfig, parseImageConfig } from './image-config.ts';
import type { ImageRecord, StoredImage } from './image-record.ts';
import { parseManifest } from './manifest.ts';
import { digestName, parseReference, tagName } from './reference.ts';
import { Semaphore } from './semaphore.ts';

const shortIdPattern = /^[0-9a-f]{4,64}$/;

/** The images by id and by every name they have; on disk one record per image. Look-ups never wait. */
export class ImageCatalog {
  readonly #folder: string;
  readonly #blobs: BlobStore;
  readonly #images = new Map<Digest, StoredImage>();
  readonly #byName = new Map<string, Digest>();
  /** Changes run one after another: each builds on what the one before left. */
  readonly #changes = new Semaphore(1);

  constructor(root: string, blobs: BlobStore) {
    this.#folder = join(root, 'records');
    this.#blobs = blobs;
  }

  /** Reads the records. A tag that two records claim (a crash between two writes) goes to the younger one. */
  async open(logger: Logger): Promise<void> {
    makePrivateFolder(this.#folder);
    const report = (path: string, error: unknown) =>
      logger.warn('an image record cannot be read and is left out', { path, error: messageOf(error) });
    const records = await readRecords<ImageRecord>(this.#folder, report);
    for (const record of records.sort((a, b) => a.storedAtMs - b.storedAtMs)) {
      try {
        this.#remember({ ...record, config: configOf(record, await this.#blobs.get(record.id)) });
      } catch (error) {
        report(record.id, error);
      }
    }
  }

  /** Every image, in the order of their coming. */
  list(): StoredImage[] {
    return [...this.#images.values()];
  }

  /** An image by id. */
  get(id: Digest): StoredImage | undefined {
    return this.#images.get(id);
  }

  /**
   * An image by whatever callers write: id, `name`, `name:tag`, `name@digest`, or the first digits of an id.
   * A whole digest is tried as an id first, then as a manifest's. Throws `ImageError` INVALID_ARGUMENT for digits that begin
   * several ids.
   */
  resolve(text: string): StoredImage | undefined {
    if (isDigest(text)) return this.#images.get(text) ?? this.#byManifest(text);
    return this.#resolveName(text) ?? this.#resolveShortId(text);
  }

  /** Adds an image or adds names to it, durably; a tag moves here from the image that had it. */
  put(image: StoredImage): Promise<StoredImage> {
    return this.#changes.run(() => this.#put(image));
  }

  /** An image that is here, with a tag (if any) added to it, durably; undefined when it is not here any more. */
  tagged(id: Digest, tag: string | undefined): Promise<StoredImage | undefined> {
    return this.#changes.run(async () => {
      const image = this.#images.get(id);
      if (!image || tag === undefined || image.tags.includes(tag)) return image;
      return this.#put({ ...image, tags: [tag] });
    });
  }

  /** Sets or takes away an image's pin, durably. Throws `ImageError` NOT_FOUND. */
  pin(id: Digest, pinned: boolean): Promise<StoredImage> {
    return this.#changes.run(async () => {
      const image = this.#images.get(id);
      if (!image) throw new ImageError('NOT_FOUND', `image "${id}" is not on this machine`);
      await this.#write({ ...image, pinned });
      image.pinned = pinned;
      return image;
    });
  }

  /** Forgets an image with all its names: in memory first, then on disk. */
  remove(id: Digest): Promise<void> {
    return this.#changes.run(() => this.#remove(id));
  }

  async #put(image: StoredImage): Promise<StoredImage> {
    const known = this.#images.get(image.id);
    const merged: StoredImage = {
      ...image,
      tags: union(known?.tags, image.tags),
      digests: union(known?.digests, image.digests),
      pinned: image.pinned || (known?.pinned ?? false),
    };
    const losers = new Set(
      merged.tags.map((tag) => this.#byName.get(tag)).filter((id) => id && id !== image.id),
    );
    await this.#write(merged);
    this.#remember(merged);
    for (const id of losers) await this.#dropTags(id as Digest, merged.tags);
    return merged;
  }

  async #remove(id: Digest): Promise<void> {
    const image = this.#images.get(id);
    if (!image) return;
    this.#forget(image);
    await rm(this.#path(id), { force: true });
    await syncDirectory(this.#folder);
  }

  #byManifest(digest: Digest): StoredImage | undefined {
    return this.list().find((image) => image.manifestDigest === digest);
  }

  #resolveName(text: string): StoredImage | undefined {
    try {
      const reference = parseReference(text);
      const name = reference.digest ? digestName(reference, reference.digest) : tagName(reference);
      const id = this.#byName.get(name ?? '');
      return id && this.#images.get(id);
    } catch {
      return undefined;
    }
  }

  #resolveShortId(text: string): StoredImage | undefined {
    const digits = text.replace(/^sha256:/, '');
    if (!shortIdPattern.test(digits)) return undefined;
    const found = this.list().filter((image) => hexOf(image.id).startsWith(digits));
    if (found.length > 1)
      throw new ImageError('INVALID_ARGUMENT', `"${text}" begins the ids of ${found.length} images`);
    return found[0];
  }

  #remember(image: StoredImage): void {
    this.#images.set(image.id, image);
    for (const name of [...image.tags, ...image.digests]) {
      const before = this.#images.get(this.#byName.get(name) as Digest);
      if (before && before.id !== image.id) before.tags = before.tags.filter((tag) => tag !== name);
      this.#byName.set(name, image.id);
    }
  }

  #forget(image: StoredImage): void {
    this.#images.delete(image.id);
    for (const name of [...image.tags, ...image.digests]) {
      if (this.#byName.get(name) === image.id) this.#byName.delete(name);
    }
  }

  async #dropTags(id: Digest, tags: readonly string[]): Promise<void> {
    const image = this.#images.get(id);
    if (!image) return;
    image.tags = image.tags.filter((tag) => !tags.includes(tag));
    await this.#write(image);
  }

  async #write({ config: _, ...record }: StoredImage): Promise<void> {
    await writeFileAtomic(this.#path(record.id), JSON.stringify(record satisfies ImageRecord));
  }

  #path(id: Digest): string {
    return join(this.#folder, `${hexOf(id)}.json`);
  }
}

function configOf({ artifactType }: ImageRecord, bytes: Buffer): ImageConfig {
  if (artifactType === undefined) return parseImageConfig(bytes);
  const manifest = parseManifest(bytes);
  if (manifest.kind === 'manifest') return artifactConfig(manifest);
  throw new ImageError('INVALID_ARGUMENT', 'the manifest of an OCI artifact is an index');
}

const union = (known: readonly string[] | undefined, more: readonly string[]): string[] => [
  ...new Set([...(known ?? []), ...more]),
];

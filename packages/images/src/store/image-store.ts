import { join } from 'node:path';
import type { Clock } from '@wherry/clock';
import { makePrivateFolder } from '@wherry/linux';
import type { Logger } from '@wherry/telemetry';
import { ImageError, messageOf } from '../errors.ts';
import type { FileSlice } from '../layers/compression.ts';
import type { Digest } from '../layers/digest.ts';
import { defaultUnpackBounds, type UnpackBounds } from '../layers/layer-meter.ts';
import { type Layer, type LayerSource, LayerStore } from '../layers/layer-store.ts';
import { UnpackPool } from '../layers/unpack-pool.ts';
import { artifactConfig, artifactFiles } from './artifact.ts';
import { BlobStore } from './blob-store.ts';
import { ImageCatalog } from './image-catalog.ts';
import { parseImageConfig } from './image-config.ts';
import type { StoredImage } from './image-record.ts';
import type { Manifest } from './manifest.ts';

/** An image ready to be stored: its two documents and the way to each layer. */
export interface ImageInstall {
  /** The manifest as its publisher wrote it. */
  manifestBytes: Uint8Array;
  manifest: Manifest;
  configBytes: Uint8Array;
  /** The way to layer number `at`, lowest first. */
  layer(at: number): Omit<LayerSource, 'diffId'>;
  /** Is told when layer number `at` is there; must not throw. */
  onLayer?(at: number): void;
  tags: string[];
  digests: string[];
  pinned?: boolean | undefined;
}

/** What the store takes on disk: unpacked layers only. */
export interface StoreUsage {
  bytes: number;
  inodes: number;
}

/** Where a store lies, and what it keeps. */
export interface ImageStoreOptions {
  root: string;
  clock: Clock;
  logger: Logger;
  /** Replaces bounds of limits.ts on what may be unpacked. */
  bounds?: Partial<UnpackBounds> | undefined;
  /** Packed layers go once they are unpacked; such images can be run, but neither pushed nor saved. Default false. */
  discardsPackedLayers?: boolean | undefined;
}

/** Images on this machine: documents by digest, layers unpacked once, names in a catalog that survives crashes. */
export class ImageStore {
  readonly root: string;
  readonly blobs: BlobStore;
  readonly layers: LayerStore;
  readonly catalog: ImageCatalog;
  /** Threads for what takes its time on the disk. */
  readonly pool: UnpackPool;
  /** What may be unpacked. */
  readonly bounds: UnpackBounds;
  readonly #clock: Clock;
  readonly #logger: Logger;
  /** Layers and documents that somebody needs, with how many do: garbage collection leaves them. */
  readonly #leases = new Map<string, number>();
  /** Installs under way: what documents they will have is not known yet. */
  #installs = 0;
  readonly #discardsPacked: boolean;
  /** Says which layers containers use; see {@link holdLayers}. */
  #layersInUse: () => Iterable<string> = () => [];

  constructor(options: ImageStoreOptions) {
    this.root = options.root;
    this.bounds = { ...defaultUnpackBounds, ...options.bounds };
    this.#discardsPacked = options.discardsPackedLayers ?? false;
    this.#clock = options.clock;
    this.#logger = options.logger;
    this.pool = new UnpackPool(options.clock);
    this.blobs = new BlobStore(options.root, options.clock);
    this.layers = new LayerStore(join(options.root, 'layers'), { pool: this.pool, bounds: this.bounds });
    this.catalog = new ImageCatalog(options.root, this.blobs);
  }

  /** Opens the store and drops images whose layers are gone. Rejects when the folder cannot be made. */
  async open(): Promise<void> {
    makePrivateFolder(this.root);
    await this.blobs.open();
    await this.layers.open();
    await this.catalog.open(this.#logger);
    for (const image of this.catalog.list()) {
      const lost = image.config.diffIds.find(
        (id, at) => this.layers.get(image.layerKeys[at] ?? '')?.diffId !== id,
      );
      if (lost === undefined && image.layerKeys.length === image.config.diffIds.length) continue;
      this.#logger.warn('an image has lost a layer and is removed', { image: image.id, layer: lost ?? '' });
      await this.catalog.remove(image.id);
    }
  }

  async close(): Promise<void> {
    await this.layers.close();
    await this.pool.close();
  }

  /** Tells the store where to ask which layers containers use, so that removing their image leaves those. */
  holdLayers(inUse: () => Iterable<string>): void {
    this.#layersInUse = inUse;
  }

  /** The image that `text` names. Throws `ImageError` NOT_FOUND. */
  find(text: string): StoredImage {
    const image = this.catalog.resolve(text);
    if (!image) throw new ImageError('NOT_FOUND', `image "${text}" is not on this machine`);
    return image;
  }

  /**
   * Stores an image; it is listed only once every layer is there and durable. Rejects with `ImageError`, or the
   * signal's reason; layers that another install waits for are made to their end.
   */
  async install(install: ImageInstall, signal?: AbortSignal): Promise<StoredImage> {
    const { layers, artifactType } = install.manifest;
    const isArtifact = artifactType !== undefined;
    const config = isArtifact ? artifactConfig(install.manifest) : parseImageConfig(install.configBytes);
    if (config.diffIds.length !== layers.length) {
      throw new ImageError(
        'INVALID_ARGUMENT',
        `image has ${layers.length} layers, but its configuration names ${config.diffIds.length}`,
      );
    }
    const packedDigests = layers.map((layer) => layer.digest);
    if (isArtifact) packedDigests.push(install.manifest.config.digest);
    const release = this.#lease([...config.diffIds, ...packedDigests]);
    this.#installs++;
    try {
      const stored = await this.#ensureLayers(config.diffIds, install, signal);
      const configDigest = await this.blobs.put(install.configBytes);
      const manifestDigest = await this.blobs.put(install.manifestBytes);
      return await this.catalog.put({
        id: isArtifact ? manifestDigest : configDigest,
        ...(isArtifact && { artifactType }),
        manifestDigest,
        tags: install.tags,
        digests: install.digests,
        sizeBytes: layers.reduce((sum, layer) => sum + layer.size, install.configBytes.length),
        layerKeys: stored.map((layer) => layer.key),
        packedDigests,
        pinned: install.pinned ?? false,
        storedAtMs: this.#clock.nowMs(),
        config,
      });
    } finally {
      this.#installs--;
      release();
    }
  }

  /**
   * Keeps what an image consists of while somebody reads it or makes a container of it, also when it is removed meanwhile;
   * the answer lets go, once. What was removed meanwhile is garbage for the next collection.
   */
  hold({ config, id, manifestDigest, packedDigests = [] }: StoredImage): () => void {
    return this.#lease([...config.diffIds, ...packedDigests, manifestDigest, id]);
  }

  /**
   * Keeps a copy of a packed layer, so that its image can be pushed and saved. A disk that has no room for it, and a layer
   * that is not what it should be, cost no more than that.
   */
  async keepPacked(slice: FileSlice, digest: Digest): Promise<void> {
    if (this.#discardsPacked || !this.blobs.hasRoomToKeep()) return;
    try {
      await this.blobs.keep(slice, digest);
    } catch (error) {
      this.#logger.warn('a packed layer could not be kept', { layer: digest, error: messageOf(error) });
    }
  }

  /** As {@link keepPacked}, for a whole file that was checked and nobody needs any more. */
  async adoptPacked(path: string, digest: Digest): Promise<void> {
    if (this.#discardsPacked || !this.blobs.hasRoomToKeep()) return;
    await this.blobs.adopt(path, digest);
  }

  /** Removes an image with all its names; unknown is fine. Its space comes back unless containers use it. */
  async remove(text: string): Promise<void> {
    const image = this.catalog.resolve(text);
    if (!image) return;
    await this.catalog.remove(image.id);
    await this.collectGarbage();
  }

  /**
   * Removes images that no container uses and nobody pinned: those without a tag, or `all`. Answers them and the unpacked
   * bytes that came free.
   */
  async prune({ all = false }: { all?: boolean | undefined } = {}): Promise<{
    removed: StoredImage[];
    freedBytes: number;
  }> {
    const before = this.usage().bytes;
    const inUse = new Set(this.#layersInUse());
    const removed = this.catalog.list().filter(({ tags, pinned, layerKeys }) => {
      const isUsed = layerKeys.length > 0 && layerKeys.every((key) => inUse.has(key));
      return !pinned && !isUsed && (all || tags.length === 0);
    });
    for (const { id } of removed) await this.catalog.remove(id);
    await this.collectGarbage();
    return { removed, freedBytes: before - this.usage().bytes };
  }

  /** Pins an image, so that neither garbage collection nor a prune removes it, or takes the pin away. */
  async pin(text: string, pinned: boolean): Promise<StoredImage> {
    return this.catalog.pin(this.find(text).id, pinned);
  }

  /**
   * Removes layers and documents that no image, no container and no install under way needs. Whether one is needed is
   * asked right before it goes, in one turn with its going, because installs begin and end meanwhile.
   */
  async collectGarbage(): Promise<void> {
    for (const { key, diffId } of this.layers.list()) {
      if (this.#isLayerNeeded(key, diffId)) continue;
      await this.layers.remove(key).catch((error) => {
        this.#logger.warn('a layer could not be removed', { layer: key, error: messageOf(error) });
      });
    }
    for (const digest of await this.blobs.list()) {
      if (!this.#isDocumentNeeded(digest)) await this.blobs.remove(digest);
    }
  }

  /** Disk space of the unpacked layers, from their records: no disk is read. */
  usage(): StoreUsage {
    const layers = this.layers.list();
    return {
      bytes: layers.reduce((sum, layer) => sum + layer.bytes, 0),
      inodes: layers.reduce((sum, layer) => sum + layer.inodes, 0),
    };
  }

  #isLayerNeeded(key: string, diffId: Digest): boolean {
    if (this.#leases.has(diffId)) return true;
    for (const used of this.#layersInUse()) if (used === key) return true;
    return this.catalog.list().some((image) => image.layerKeys.includes(key));
  }

  #isDocumentNeeded(digest: Digest): boolean {
    const names = ({ id, manifestDigest, packedDigests = [] }: StoredImage) =>
      id === digest || manifestDigest === digest || packedDigests.includes(digest);
    return this.#installs > 0 || this.#leases.has(digest) || this.catalog.list().some(names);
  }

  /** Makes sure of all layers at once; the first failure stops the rest. */
  async #ensureLayers(
    diffIds: readonly Digest[],
    install: ImageInstall,
    signal: AbortSignal | undefined,
  ): Promise<Layer[]> {
    const failure = new AbortController();
    const either = AbortSignal.any([failure.signal, ...(signal ? [signal] : [])]);
    const { manifest } = install;
    const files = manifest.artifactType === undefined ? [] : artifactFiles(manifest);
    const ensure = (at: number, waiting: AbortSignal): Promise<Layer> => {
      const diffId = diffIds[at] as Digest;
      const below = diffIds.slice(0, at);
      const layers = (shared: AbortSignal) => Promise.all(below.map((_, lower) => ensure(lower, shared)));
      const source = { diffId, file: files[at]?.path, ...install.layer(at) };
      return this.layers.ensure(source, { diffIds: below, layers }, waiting);
    };
    let bytes = 0;
    const work = diffIds.map(async (_, at) => {
      const layer = await ensure(at, either);
      install.onLayer?.(at);
      bytes += layer.bytes;
      if (bytes > this.bounds.layerBytesMax)
        throw new ImageError(
          'INVALID_ARGUMENT',
          `image unpacks to more than ${this.bounds.layerBytesMax} bytes; it is refused`,
        );
      return layer;
    });
    for (const one of work) one.catch((error) => failure.abort(error));
    await Promise.allSettled(work);
    if (failure.signal.aborted) throw failure.signal.reason;
    return Promise.all(work);
  }

  #lease(names: readonly string[]): () => void {
    for (const name of names) this.#leases.set(name, (this.#leases.get(name) ?? 0) + 1);
    return () => {
      for (const name of names) {
        const left = (this.#leases.get(name) ?? 1) - 1;
        if (left > 0) this.#leases.set(name, left);
        else this.#leases.delete(name);
      }
    };
  }
}

import { renameSync } from 'node:fs';
import { mkdir, readdir, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { SharedWork } from '@wherry/bytes';
import { FilesystemFlusher, makePrivateFolder, syncDirectory, writeFileAtomic } from '@wherry/linux';
import { ImageError, messageOf } from '../errors.ts';
import type { FileSlice } from './compression.ts';
import type { Digest } from './digest.ts';
import { identityOf, keyFor, type Layer, layerOf } from './layer-identity.ts';
import type { UnpackBounds } from './layer-meter.ts';
import { ParentNeededError } from './layer-writer.ts';
import type { UnpackResult } from './unpack.ts';
import type { UnpackPool } from './unpack-pool.ts';

export type { Layer } from './layer-identity.ts';

/** A layer that should be there, and where to get it. */
export interface LayerSource {
  diffId: Digest;
  /** What is fetched is no tar: it becomes the one file of the layer, under this path. Default: it is a tar. */
  file?: string | undefined;
  /** Digest of the packed form, checked when given. */
  packedDigest?: Digest | undefined;
  /** Called only when the layer is not there yet; answers where its tar lies. */
  fetch(signal: AbortSignal): Promise<FileSlice>;
  /** Called when the tar is no longer needed, with its digest when the layer was made of it and it is what it should be. */
  release?(slice: FileSlice, whole: Digest | undefined): Promise<void>;
}

/** The layers under one, lowest first. */
export interface LowerSources {
  diffIds: readonly Digest[];
  /** Makes sure of them; only called for a layer that takes something from them. */
  layers(signal: AbortSignal): Promise<readonly Layer[]>;
}

/** Unpacking under way. */
interface Unpacking {
  source: LayerSource;
  slice: FileSlice;
  identity: Digest;
  /** Folders of the layers below, nearest first; undefined when there are some, but not at hand. */
  parents: string[] | undefined;
  signal: AbortSignal;
}

/**
 * Unpacked layers, each once, however many images share them, found by whole digests. A layer stands alone under its
 * diff id; only one that takes something from lower layers is bound to them.
 */
export class LayerStore {
  /** The folder that layer keys are relative to. */
  readonly root: string;
  readonly #pool: UnpackPool;
  readonly #flusher: FilesystemFlusher;
  readonly #bounds: UnpackBounds;
  readonly #layers = new Map<string, Layer>();
  readonly #byIdentity = new Map<Digest, Layer>();
  /** Keys of layers that are being made. */
  readonly #reserved = new Set<string>();
  readonly #unpacking = new SharedWork<Layer>();
  #counter = 0;

  constructor(root: string, options: { pool: UnpackPool; bounds: UnpackBounds }) {
    this.root = root;
    this.#pool = options.pool;
    this.#flusher = new FilesystemFlusher(root);
    this.#bounds = options.bounds;
  }

  /** Reads what is there; a folder without its record is a crash's remainder and goes. */
  async open(): Promise<void> {
    makePrivateFolder(this.root);
    for (const name of await readdir(this.root)) {
      const layer = await this.#read(name);
      if (layer) this.#remember(layer);
      else await this.#pool.removeTree(this.root, name);
    }
  }

  /** Stops what is being unpacked; resolves when nothing of it is left. */
  async close(): Promise<void> {
    await this.#unpacking.close();
  }

  /** The layer's record by key. */
  get(key: string): Layer | undefined {
    return this.#layers.get(key);
  }

  /** Every layer. */
  list(): Layer[] {
    return [...this.#layers.values()];
  }

  /** The folder to put into an overlay's lowerdir, relative to {@link root}. */
  static folderOf(key: string): string {
    return `${key}/d`;
  }

  /**
   * Makes sure that a layer is there. Requests for the same layer at the same time share one unpacking, which lives as
   * long as one of them waits for it.
   */
  async ensure(source: LayerSource, lower: LowerSources, signal?: AbortSignal): Promise<Layer> {
    const alone = identityOf([source.diffId]);
    const bound = identityOf([...lower.diffIds, source.diffId]);
    for (;;) {
      const present = this.#byIdentity.get(bound) ?? this.#byIdentity.get(alone);
      if (present) return present;
      const made = await this.#unpacking.run(source.diffId, signal, (shared) =>
        this.#create(source, lower, { alone, bound, signal: shared }),
      );
      // One that was made for another image may be bound to that one's layers.
      if (made.identity === alone || made.identity === bound) return made;
    }
  }

  /** Removes a layer that no image and no container uses: it is gone when this returns, or stays when that rejects. */
  async remove(key: string): Promise<void> {
    const layer = this.#layers.get(key);
    if (!layer) return;
    const doomed = `tmp-gone-${key}-${++this.#counter}`;
    renameSync(join(this.root, key), join(this.root, doomed));
    this.#layers.delete(key);
    this.#byIdentity.delete(layer.identity);
    await this.#pool.removeTree(this.root, doomed);
  }

  async #create(
    source: LayerSource,
    lower: LowerSources,
    { alone, bound, signal }: { alone: Digest; bound: Digest; signal: AbortSignal },
  ): Promise<Layer> {
    const slice = await source.fetch(signal);
    let whole: Digest | undefined;
    const unpack = async (identity: Digest, parents: string[] | undefined) => {
      const made = await this.#unpack({ source, slice, identity, parents, signal });
      whole = made.digest;
      return made.layer;
    };
    try {
      const isLowest = lower.diffIds.length === 0;
      try {
        return await unpack(alone, isLowest ? [] : undefined);
      } catch (error) {
        if (!(error instanceof ParentNeededError)) throw error;
      }
      const below = await lower.layers(signal);
      const parents = below.map(({ key }) => join(this.root, LayerStore.folderOf(key))).reverse();
      return await unpack(bound, parents);
    } finally {
      if (!signal.aborted) await source.release?.(slice, whole);
    }
  }

  /** Unpacks into a temporary folder, which becomes the layer's only when it is whole and on the disk. */
  async #unpack({
    source,
    slice,
    identity,
    parents,
    signal,
  }: Unpacking): Promise<{ layer: Layer; digest: Digest }> {
    const temporary = `tmp-${process.pid}-${++this.#counter}`;
    const path = join(this.root, temporary);
    const folder = join(path, 'd');
    const key = keyFor(identity, (key) => this.#layers.has(key) || this.#reserved.has(key));
    this.#reserved.add(key);
    try {
      await mkdir(folder, { recursive: true, mode: 0o755 });
      const result = await this.#pool.unpack(
        { source: slice, file: source.file, folder, parents, bounds: this.#bounds },
        signal,
      );
      check(source, result);
      // Not the unpacking thread's to wait for: it goes on with the next layer meanwhile.
      await this.#flusher.flush();
      signal.throwIfAborted();
      const layer: Layer = {
        key,
        identity,
        diffId: source.diffId,
        bytes: result.bytes,
        inodes: result.inodes,
      };
      await writeFileAtomic(join(path, 'layer.json'), JSON.stringify(layer));
      await rename(path, join(this.root, key));
      await syncDirectory(this.root);
      this.#remember(layer);
      return { layer, digest: result.digest };
    } catch (error) {
      await this.#pool.removeTree(this.root, temporary).catch((failure) => {
        throw new AggregateError([error, failure], `${messageOf(error)}; and then: ${messageOf(failure)}`);
      });
      throw error;
    } finally {
      this.#reserved.delete(key);
    }
  }

  #remember(layer: Layer): void {
    this.#layers.set(layer.key, layer);
    this.#byIdentity.set(layer.identity, layer);
  }

  async #read(name: string): Promise<Layer | undefined> {
    try {
      return layerOf(name, JSON.parse(await readFile(join(this.root, name, 'layer.json'), 'utf8')));
    } catch {
      return undefined;
    }
  }
}

function check(source: LayerSource, result: UnpackResult): void {
  const { diffId, packedDigest } = source;
  if (packedDigest !== undefined && packedDigest !== result.digest) {
    throw new ImageError(
      'UNKNOWN',
      `layer ${packedDigest} is damaged: its bytes have the digest ${result.digest}`,
    );
  }
  // What a file's layer is named by says its path and its digest, which was compared.
  if (source.file === undefined && diffId !== result.diffId) {
    throw new ImageError(
      'UNKNOWN',
      `layer ${diffId} is damaged: unpacked it has the digest ${result.diffId}`,
    );
  }
}

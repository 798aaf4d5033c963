import { mkdir, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { RuntimeError } from '../errors.ts';
import { syncDirectory, writeFileAtomic } from '../state/atomic-file.ts';
import { SingleFlight } from '../state/single-flight.ts';
import type { FileSlice } from './compression.ts';
import { type Digest, digestOf, hexOf } from './digest.ts';
import { ParentNeededError } from './layer-writer.ts';
import type { UnpackResult } from './unpack.ts';
import type { UnpackPool } from './unpack-pool.ts';

/** An unpacked layer. */
export interface Layer {
  /** Folder name inside the store: short, because the overlay's mount options must fit one page. */
  key: string;
  /** Digest of the uncompressed tar. */
  diffId: Digest;
  bytes: number;
  inodes: number;
}

/** A layer that should be there, and where to get it. */
export interface LayerSource {
  diffId: Digest;
  /** Digest of the packed form, checked when given. */
  packedDigest?: Digest | undefined;
  /** Called only when the layer is not there yet; answers where its tar lies. */
  fetch(): Promise<FileSlice>;
  /** Called when the tar is no longer needed. */
  release?(): Promise<void>;
}

/** The layers under one, lowest first. */
export interface LowerLayers {
  diffIds: readonly Digest[];
  /** Waits for them; only called when a hard link leads into them. */
  layers(): Promise<readonly Layer[]>;
}

const keyDigits = 16;

/**
 * Unpacked layers, each once, however many images share them. A layer stands alone under its diff id; only one with
 * hard links into lower layers is bound to its parents, and named by all their diff ids.
 */
export class LayerStore {
  /** The folder that layer keys are relative to. */
  readonly root: string;
  readonly #pool: UnpackPool;
  readonly #layers = new Map<string, Layer>();
  readonly #unpacking = new SingleFlight<Layer>();
  #counter = 0;

  constructor(root: string, pool: UnpackPool) {
    this.root = root;
    this.#pool = pool;
  }

  /** Reads what is there; a folder without its record is a crash's remainder and goes. */
  async open(): Promise<void> {
    await mkdir(this.root, { recursive: true, mode: 0o700 });
    for (const name of await readdir(this.root)) {
      const layer = await this.#read(name);
      if (layer) this.#layers.set(name, layer);
      else await rm(join(this.root, name), { recursive: true, force: true });
    }
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

  /** Makes sure that a layer is there. Requests for the same layer at the same time share one unpacking. */
  async ensure(source: LayerSource, lower: LowerLayers): Promise<Layer> {
    const alone = keyOf([source.diffId]);
    const bound = keyOf([...lower.diffIds, source.diffId]);
    const present = this.#layers.get(bound) ?? this.#layers.get(alone);
    if (present) return present;
    const made = await this.#unpacking.run(source.diffId, () =>
      this.#create(source, lower, { alone, bound }),
    );
    return made.key === alone || made.key === bound ? made : this.ensure(source, lower);
  }

  /** Removes a layer that no image and no container uses. */
  async remove(key: string): Promise<void> {
    if (!this.#layers.delete(key)) return;
    const doomed = join(this.root, `tmp-gone-${key}-${++this.#counter}`);
    await rename(join(this.root, key), doomed);
    await rm(doomed, { recursive: true, force: true });
  }

  async #create(
    source: LayerSource,
    lower: LowerLayers,
    keys: { alone: string; bound: string },
  ): Promise<Layer> {
    const slice = await source.fetch();
    try {
      try {
        return await this.#unpack(source, slice, { key: keys.alone, parents: [] });
      } catch (error) {
        if (!(error instanceof ParentNeededError)) throw error;
        const parents = await lower.layers();
        const folders = parents.map((parent) => join(this.root, LayerStore.folderOf(parent.key))).reverse();
        return await this.#unpack(source, slice, { key: keys.bound, parents: folders });
      }
    } finally {
      await source.release?.();
    }
  }

  async #unpack(
    source: LayerSource,
    slice: FileSlice,
    target: { key: string; parents: string[] },
  ): Promise<Layer> {
    const { key, parents } = target;
    const temporary = join(this.root, `tmp-${process.pid}-${++this.#counter}`);
    const folder = join(temporary, 'd');
    await mkdir(folder, { recursive: true, mode: 0o755 });
    try {
      const result = await this.#pool.unpack({ source: slice, folder, parents });
      check(source, result);
      const layer: Layer = { key, diffId: result.diffId, bytes: result.bytes, inodes: result.inodes };
      await writeFileAtomic(join(temporary, 'layer.json'), JSON.stringify(layer));
      await rename(temporary, join(this.root, key));
      await syncDirectory(this.root);
      this.#layers.set(key, layer);
      return layer;
    } catch (error) {
      await rm(temporary, { recursive: true, force: true });
      throw error;
    }
  }

  async #read(name: string): Promise<Layer | undefined> {
    try {
      const layer = JSON.parse(await readFile(join(this.root, name, 'layer.json'), 'utf8')) as Layer;
      return layer.key === name ? layer : undefined;
    } catch {
      return undefined;
    }
  }
}

function keyOf(diffIds: readonly Digest[]): string {
  const [only] = diffIds;
  const digest = diffIds.length === 1 && only ? only : digestOf(diffIds.join(' '));
  return hexOf(digest).slice(0, keyDigits);
}

function check(source: LayerSource, result: UnpackResult): void {
  const { diffId, packedDigest } = source;
  if (packedDigest !== undefined && packedDigest !== result.digest) {
    throw new RuntimeError(
      'UNKNOWN',
      `layer ${packedDigest} is damaged: its bytes have the digest ${result.digest}`,
    );
  }
  if (diffId !== result.diffId) {
    throw new RuntimeError(
      'UNKNOWN',
      `layer ${diffId} is damaged: unpacked it has the digest ${result.diffId}`,
    );
  }
}

import { createHash } from 'node:crypto';
import { renameSync, statfsSync } from 'node:fs';
import { open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '@wherry/clock';
import { hasCode, makePrivateFolder, writeFileAtomic } from '@wherry/linux';
import { ImageError } from '../errors.ts';
import { type FileSlice, readSlice } from '../layers/compression.ts';
import { type Digest, digestOf, hexOf } from '../layers/digest.ts';
import { FreeRoom } from '../layers/free-room.ts';
import { limits } from '../limits.ts';

/** Whether packed layers, which no container needs, may stay on a disk. */
export function isRoomToKeep({ freeBytes, totalBytes }: { freeBytes: number; totalBytes: number }): boolean {
  return freeBytes > Math.min(limits.packedLayersFreeBytes, totalBytes * limits.packedLayersFreeShare);
}

/** Content by digest: manifests, configurations, packed layers; and the place where layers wait to be unpacked. */
export class BlobStore {
  readonly #blobs: string;
  readonly #ingest: string;
  readonly #clock: Clock;
  #counter = 0;

  constructor(root: string, clock: Clock) {
    this.#clock = clock;
    this.#blobs = join(root, 'blobs', 'sha256');
    this.#ingest = join(root, 'ingest');
  }

  /** Makes the folders. Half-received files with a digest as their name stay for a while: a later pull resumes them. */
  async open(): Promise<void> {
    makePrivateFolder(this.#blobs);
    makePrivateFolder(this.#ingest);
    for (const name of await readdir(this.#ingest)) {
      const path = join(this.#ingest, name);
      const isPartial = /^[0-9a-f]{64}$/.test(name) && !(await this.#isStale(path));
      if (!isPartial) await rm(path, { recursive: true, force: true });
    }
  }

  /** Stores small content under its digest and answers that. */
  async put(content: Uint8Array): Promise<Digest> {
    const digest = digestOf(content);
    const path = this.#path(digest);
    if (await stat(path).catch(() => undefined)) return digest;
    await writeFileAtomic(path, content, 0o600);
    return digest;
  }

  /** Reads content by digest and checks it. Throws `ImageError` NOT_FOUND, or failed when the file was damaged. */
  async get(digest: Digest): Promise<Buffer> {
    const content = await readFile(this.#path(digest)).catch((error) => {
      throw new ImageError('NOT_FOUND', `the image store has no content ${digest}`, { cause: error });
    });
    if (digestOf(content) !== digest) {
      throw new ImageError(
        'UNKNOWN',
        `content ${digest} is damaged on disk; remove the image and load it again`,
      );
    }
    return content;
  }

  /** Where content of this size lies; undefined when it is not held, or a crash has cut it. */
  async find(digest: Digest, size: number): Promise<string | undefined> {
    const path = this.#path(digest);
    const status = await stat(path).catch(() => undefined);
    return status?.size === size ? path : undefined;
  }

  /** Makes a whole file, already checked and of this file system, the content of a digest. */
  async adopt(path: string, digest: Digest): Promise<void> {
    await rename(path, this.#path(digest));
  }

  /** Keeps a copy of a piece of a file. Throws `ImageError` when it has another digest, or no room. */
  async keep(slice: FileSlice, digest: Digest): Promise<void> {
    if (await this.find(digest, slice.length)) return;
    const copy = await this.spool(readSlice(slice));
    try {
      if (copy.digest !== digest)
        throw new ImageError(
          'UNKNOWN',
          `layer ${digest} is damaged: its bytes have the digest ${copy.digest}`,
        );
      await this.adopt(copy.path, digest);
    } finally {
      await rm(copy.path, { force: true });
    }
  }

  /** Whether packed layers may stay on this disk. */
  hasRoomToKeep(): boolean {
    const { bavail, blocks, bsize } = statfsSync(this.#ingest);
    return isRoomToKeep({ freeBytes: bavail * bsize, totalBytes: blocks * bsize });
  }

  /** Every digest held. */
  async list(): Promise<Digest[]> {
    const names = await readdir(this.#blobs);
    return names.filter((name) => /^[0-9a-f]{64}$/.test(name)).map((name) => `sha256:${name}` as const);
  }

  /** Removes content; absent is fine. It is gone when this returns, and its space comes back when that resolves. */
  async remove(digest: Digest): Promise<void> {
    const doomed = this.temporaryPath();
    try {
      renameSync(this.#path(digest), doomed);
    } catch (error) {
      if (hasCode(error, 'ENOENT')) return;
      throw error;
    }
    await rm(doomed, { force: true });
  }

  /** A new path for a file that is thrown away unless it is finished before the next start. */
  temporaryPath(): string {
    return join(this.#ingest, `tmp-${process.pid}-${++this.#counter}`);
  }

  /** The path of a layer being downloaded: the same each time, so that a broken download goes on. */
  downloadPath(digest: Digest): string {
    return join(this.#ingest, hexOf(digest));
  }

  /**
   * Spools a stream into a temporary file; answers its path, length and digest. Throws `ImageError` when it is too
   * large, for the bounds or for the disk.
   */
  async spool(source: AsyncIterable<Uint8Array>): Promise<{ path: string; length: number; digest: Digest }> {
    const path = this.temporaryPath();
    const file = await open(path, 'wx', 0o600);
    const hash = createHash('sha256');
    const room = new FreeRoom(this.#ingest);
    let length = 0;
    try {
      for await (const chunk of source) {
        length += chunk.length;
        if (length > limits.imageUnpackedBytesMax)
          throw new ImageError(
            'INVALID_ARGUMENT',
            `image archive has more than ${limits.imageUnpackedBytesMax} bytes`,
          );
        room.check(chunk.length);
        hash.update(chunk);
        await file.writeFile(chunk);
      }
    } catch (error) {
      await rm(path, { force: true });
      throw error;
    } finally {
      await file.close();
    }
    return { path, length, digest: `sha256:${hash.digest('hex')}` };
  }

  async #isStale(path: string): Promise<boolean> {
    return this.#clock.nowMs() - (await stat(path)).mtimeMs > limits.partialDownloadAgeMs;
  }

  #path(digest: Digest): string {
    return join(this.#blobs, hexOf(digest));
  }
}

import { lstat, mkdir, open, realpath, rm } from 'node:fs/promises';
import { basename, dirname, resolve, sep } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { withoutTrailing } from '@wherry/kubeapi/objects';
import type { Extract } from 'tar-stream';
import { ClientError } from '../errors.ts';
import type { CopyOptions } from './copy-to-pod.ts';
import { notUtf8 } from './local-tree.ts';
import { hashed, joinRemote } from './remote-files.ts';

type Entry = Extract extends AsyncIterable<infer T> ? T : never;

/** What stands for bytes that are no UTF-8. */
const undecodable = '\uFFFD';

/** What is told on the way, and whether modes are kept. */
export type UnpackingOptions = Pick<CopyOptions, 'noPreserve' | 'onProgress'>;

/** Unpacks an archive of a container, which may be hostile, below one target path. */
export class Unpacking {
  files = 0;
  bytes = 0;
  sawEntries = false;
  readonly warnings: string[] = [];
  /** SHA-256 by path in the container. */
  readonly hashes = new Map<string, string>();
  readonly #target: string;
  readonly #remotePath: string;
  readonly #prefix: string;
  readonly #options: UnpackingOptions;

  constructor(target: string, remotePath: string, options: UnpackingOptions) {
    this.#target = target;
    this.#remotePath = remotePath;
    // What tar itself leaves out of the names.
    this.#prefix = remotePath.replace(/^\/+|^(\.\.\/)+/, '');
    this.#options = options;
  }

  async run(archive: Extract): Promise<void> {
    for await (const entry of archive) {
      this.sawEntries = true;
      await this.#place(entry);
    }
  }

  async #place(entry: Entry): Promise<void> {
    const { name, type = 'file', mode } = entry.header;
    const relative = this.#relativeOf(name);
    const path = await this.#pathOf(relative);
    if (name.includes(undecodable)) {
      this.warnings.push(notUtf8(name));
    } else if (path === undefined) {
      this.warnings.push(`warning: file "${name}" is outside target destination, skipping`);
    } else if (type === 'symlink' || type === 'link') {
      this.warnings.push(`warning: skipping symlink: "${path}" -> "${entry.header.linkname}"`);
    } else if (type === 'directory') {
      await mkdir(path, { recursive: true });
    } else if (type === 'file' || type === 'contiguous-file') {
      await mkdir(dirname(path), { recursive: true });
      const remotePath = relative === '' ? this.#remotePath : joinRemote(this.#remotePath, relative);
      await this.#write(this.#counted(entry, remotePath), path, this.#options.noPreserve ? undefined : mode);
      return;
    } else this.warnings.push(`warning: skipping ${type}: "${path}"`);
    entry.resume();
  }

  /** What an entry's name says below the path that was asked for; '' for that itself. */
  #relativeOf(name: string): string {
    const clean = withoutTrailing(name.replace(/^\/+/, ''), '/');
    const prefix = this.#prefix === '' ? '' : `${this.#prefix}/`;
    if (clean === this.#prefix) return '';
    if (clean.startsWith(prefix)) return clean.slice(prefix.length);
    throw new ClientError('bad-answer', `tar contents corrupted: "${name}" is not below "${this.#prefix}"`);
  }

  /** The local place of an entry, undefined for one that would lie outside of the target, also by a link that is there. */
  async #pathOf(relative: string): Promise<string | undefined> {
    const path = resolve(this.#target, relative);
    if (path === this.#target) return path;
    const isBelow = isWithin(path, this.#target) && (await this.#isReallyWithin(dirname(path)));
    return isBelow ? path : undefined;
  }

  /** True for a folder below the target, or the target, where all links are followed; of one that is not there yet, what it is made in. */
  async #isReallyWithin(folder: string): Promise<boolean> {
    if (folder === this.#target) return true;
    if (!(await isThere(folder))) return this.#isReallyWithin(dirname(folder));
    const [place, target] = await Promise.all(
      [folder, this.#target].map((path) => realpath(path).catch(() => undefined)),
    );
    return place !== undefined && target !== undefined && isWithin(place, target);
  }

  async #write(content: AsyncIterable<Uint8Array>, path: string, mode: number | undefined): Promise<void> {
    await replaceLink(path);
    const file = await open(path, 'w', mode === undefined ? 0o666 : mode & 0o777);
    try {
      await pipeline(content, file.createWriteStream());
    } catch (error) {
      await forgetHalf(path);
      throw error;
    }
    this.files += 1;
  }

  /** The content of a file, which is counted, told of and hashed on its way. */
  async *#counted(entry: Entry, remotePath: string): AsyncGenerator<Uint8Array> {
    const { name } = entry.header;
    const content = hashed(entry as AsyncIterable<Uint8Array>, (hash) => this.hashes.set(remotePath, hash));
    for await (const chunk of content) {
      this.bytes += chunk.length;
      this.#options.onProgress?.({ name: basename(name), bytes: this.bytes, totalBytes: undefined });
      yield chunk;
    }
  }
}

const isWithin = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(folder === sep ? sep : folder + sep);

const isThere = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false,
  );

/** A symbolic link that stands where a file is to be written must not lead the write elsewhere. */
async function replaceLink(path: string): Promise<void> {
  const found = await lstat(path).catch(() => undefined);
  if (found?.isSymbolicLink()) await rm(path);
}

/** What has come of a file that was cut short goes, so that nobody takes it for the whole. Devices and pipes stay. */
async function forgetHalf(path: string): Promise<void> {
  const found = await lstat(path).catch(() => undefined);
  if (found?.isFile()) await rm(path, { force: true });
}

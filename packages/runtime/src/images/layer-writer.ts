import {
  chmodSync,
  closeSync,
  copyFileSync,
  lchownSync,
  linkSync,
  lutimesSync,
  mkdirSync,
  openSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeSync,
} from 'node:fs';
import { makeNode, setXattr } from '@wherry/linux';
import { hasErrno, RuntimeError } from '../errors.ts';
import type { TarEntry } from '../tar/header.ts';
import type { TarSink } from '../tar/reader.ts';
import { LayerPaths, lstatOf } from './layer-paths.ts';

const whiteoutPrefix = '.wh.';
const opaqueMarker = '.wh..wh..opq';
const blockBytes = 4096;

/** What a layer takes on disk. */
export interface LayerUsage {
  bytes: number;
  inodes: number;
}

/** A hard link to a file of a lower layer, which this layer cannot hold without its parents. */
export class ParentNeededError extends Error {
  constructor(path: string) {
    super(`layer entry "${path}" is a hard link to a file of a lower layer`);
    this.name = 'ParentNeededError';
  }
}

/**
 * Writes one layer's entries into a folder as overlayfs wants them: whiteouts become 0/0 character devices, opaque
 * markers become `trusted.overlay.opaque` (kernel Documentation/filesystems/overlayfs.rst; OCI image-spec layer.md).
 * Everything is synchronous: run it on a thread of its own.
 */
export class LayerWriter implements TarSink {
  readonly usage: LayerUsage = { bytes: 0, inodes: 0 };
  readonly #paths: LayerPaths;
  /** Folders of lower layers, nearest first: where hard links to files of theirs are looked up. */
  readonly #parents: readonly string[];
  readonly #directoryTimes = new Map<string, number>();
  #open: { fd: number; entry: TarEntry; full: string } | undefined;

  constructor(root: string, parents: readonly string[] = []) {
    this.#paths = new LayerPaths(root);
    this.#parents = parents;
  }

  entry(entry: TarEntry): void {
    const { folder, name, full } = this.#paths.locate(entry.path);
    if (name.startsWith(whiteoutPrefix)) {
      this.#whiteout(folder, name, entry.path);
      return;
    }
    this.#clear(full, entry);
    if (entry.type === 'link') {
      this.#hardLink(full, entry);
      return;
    }
    this.usage.inodes++;
    if (entry.type === 'file') {
      this.#open = { fd: openSync(full, 'wx', 0o600), entry, full };
      this.usage.bytes += Math.ceil(entry.size / blockBytes) * blockBytes;
      return;
    }
    this.#make(full, entry);
    this.#finish(full, entry);
  }

  content(chunk: Uint8Array): void {
    let written = 0;
    while (this.#open && written < chunk.length) {
      written += writeSync(this.#open.fd, chunk, written, chunk.length - written);
    }
  }

  entryEnd(): void {
    const open = this.#open;
    if (!open) return;
    this.#open = undefined;
    closeSync(open.fd);
    this.#finish(open.full, open.entry);
  }

  /** To be called last: sets the times of directories, which later entries have touched. */
  finish(): void {
    for (const [full, seconds] of this.#directoryTimes) {
      if (lstatOf(full)?.isDirectory()) utimesSync(full, seconds, seconds);
    }
  }

  /** Releases the open file after a failure. */
  abandon(): void {
    if (this.#open) closeSync(this.#open.fd);
    this.#open = undefined;
  }

  #whiteout(folder: string, name: string, path: string): void {
    if (name === opaqueMarker) {
      setXattr(folder, 'trusted.overlay.opaque', Buffer.from('y'));
      return;
    }
    const hidden = name.slice(whiteoutPrefix.length);
    if (hidden === '' || hidden === '.' || hidden === '..') {
      throw new RuntimeError('INVALID_ARGUMENT', `layer entry "${path}" is a whiteout of no file`);
    }
    const full = `${folder}/${hidden}`;
    rmSync(full, { recursive: true, force: true });
    this.#paths.forget();
    makeNode(full, { type: 'character', mode: 0, major: 0, minor: 0 });
    this.usage.inodes++;
  }

  /** Makes way for an entry: a directory stays for a directory, anything else goes. */
  #clear(full: string, entry: TarEntry): void {
    const status = lstatOf(full);
    if (status === undefined || (status.isDirectory() && entry.type === 'directory')) return;
    if (full === this.#paths.root)
      throw new RuntimeError('INVALID_ARGUMENT', 'the root of a layer must be a directory');
    rmSync(full, { recursive: true, force: true });
    if (status.isDirectory()) this.#paths.forget();
  }

  /** A link shares the target's inode, so its own mode and owner are not applied (they'd change the target). */
  #hardLink(full: string, entry: TarEntry): void {
    const target = this.#paths.locate(entry.linkTarget).full;
    if (lstatOf(target) === undefined) this.#copyUp(target, entry);
    linkSync(target, full);
  }

  #copyUp(target: string, entry: TarEntry): void {
    const inside = target.slice(this.#paths.root.length);
    const source = this.#parents.map((parent) => parent + inside).find((path) => lstatOf(path)?.isFile());
    if (source === undefined) {
      if (this.#parents.length === 0) throw new ParentNeededError(entry.path);
      throw new RuntimeError(
        'INVALID_ARGUMENT',
        `"${entry.path}" links to "${entry.linkTarget}", which no layer has`,
      );
    }
    const status = lstatOf(source);
    copyFileSync(source, target);
    lchownSync(target, status?.uid ?? 0, status?.gid ?? 0);
    chmodSync(target, (status?.mode ?? 0o644) & 0o7777);
  }

  #make(full: string, entry: TarEntry): void {
    const { deviceMajor: major, deviceMinor: minor } = entry;
    switch (entry.type) {
      case 'directory':
        if (lstatOf(full) === undefined) mkdirSync(full, { mode: 0o700 });
        break;
      case 'symlink':
        symlinkSync(entry.linkTarget, full);
        break;
      case 'character':
      case 'block':
      case 'fifo':
        makeNode(full, { type: entry.type, mode: 0o600, major, minor });
        break;
    }
  }

  /** Owner first, then mode (chown clears setuid), then attributes (chown drops capabilities too), then time. */
  #finish(full: string, entry: TarEntry): void {
    lchownSync(full, entry.uid, entry.gid);
    if (entry.type !== 'symlink') chmodSync(full, entry.mode);
    for (const [name, value] of entry.xattrs) this.#setXattr(full, name, value);
    if (entry.type === 'directory') this.#directoryTimes.set(full, entry.modifiedSeconds);
    else lutimesSync(full, entry.modifiedSeconds, entry.modifiedSeconds);
  }

  /** `trusted.*` would forge overlayfs's own marks; what the file system refuses is left out, as containerd does. */
  #setXattr(full: string, name: string, value: Uint8Array): void {
    if (name.startsWith('trusted.')) return;
    try {
      setXattr(full, name, value);
    } catch (error) {
      if (!hasErrno(error, 'ENOTSUP', 'EOPNOTSUPP', 'EPERM')) throw error;
    }
  }
}

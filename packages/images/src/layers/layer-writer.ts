import {
  closeSync,
  fchmodSync,
  fchownSync,
  fstatSync,
  ftruncateSync,
  futimesSync,
  linkSync,
  lstatSync,
  lutimesSync,
  openSync,
  utimesSync,
  writeSync,
} from 'node:fs';
import {
  copyContent,
  EagerWriteback,
  type EntryPath,
  finishEntry,
  getXattr,
  makeEntry,
  makeNode,
  type NewEntry,
  type OpenFolder,
  setAttributes,
  setXattr,
} from '@wherry/linux';
import { ImageError } from '../errors.ts';
import type { TarEntry } from '../tar/header.ts';
import type { TarSink } from '../tar/reader.ts';
import { insideParts, shown } from './entry-path.ts';
import { type LayerFolder, LayerFolders, type OnImplicitFolder } from './layer-folders.ts';
import { LayerMeter, type UnpackBounds } from './layer-meter.ts';
import { type LowerEntry, LowerLayers, opaqueAttribute, openLowerFile } from './lower-layers.ts';

const whiteoutPrefix = '.wh.';
/** Names of aufs's own, which are no whiteouts; all but the opaque marker are left out, as containerd does. */
const aufsPrefix = '.wh..wh.';
const opaqueMarker = '.wh..wh..opq';
const capabilityAttribute = 'security.capability';

/** What a layer takes on disk. */
export interface LayerUsage {
  bytes: number;
  inodes: number;
}

/** Something that a layer takes from the layers below, without which it cannot be unpacked. */
export class ParentNeededError extends Error {
  constructor(what: string) {
    super(`a layer needs the layers below for ${what}`);
    this.name = 'ParentNeededError';
  }
}

/** A layer's folder, what lies below it, and how much may be written. */
export interface LayerWriterOptions {
  root: OpenFolder;
  /** Folders of lower layers, nearest first; undefined when there are some, but not at hand. */
  parents: readonly string[] | undefined;
  bounds: UnpackBounds;
}

/** An entry's place: its folder and its name there. */
interface Place extends LayerFolder {
  name: string;
}

/**
 * Writes one layer's entries into a folder as overlayfs wants them: whiteouts become 0/0 character devices, opaque
 * markers become `trusted.overlay.opaque` (kernel Documentation/filesystems/overlayfs.rst; OCI image-spec layer.md).
 * Everything happens below descriptors: nothing that an entry says leads out of the folder. Throws `ImageError`
 * INVALID_ARGUMENT for a layer that tries, or passes a bound; {@link ParentNeededError}.
 * Everything is synchronous: run it on a thread of its own.
 */
export class LayerWriter implements TarSink, Disposable {
  readonly #root: OpenFolder;
  readonly #folders: LayerFolders;
  readonly #lower: LowerLayers | undefined;
  readonly #meter: LayerMeter;
  readonly #directoryTimes = new Map<string, { parts: string[]; seconds: number }>();
  #open: { descriptor: number; writeback: EagerWriteback; entry: TarEntry; place: Place } | undefined;

  constructor({ root, parents, bounds }: LayerWriterOptions) {
    this.#root = root;
    this.#meter = new LayerMeter(bounds);
    this.#lower = parents && new LowerLayers(parents);
    this.#folders = new LayerFolders(root, (made) => this.#adopt(made));
  }

  get usage(): LayerUsage {
    return this.#meter.usage;
  }

  entry(entry: TarEntry): void {
    this.#meter.entry(entry);
    const parts = insideParts(entry.path);
    const name = parts.pop();
    if (name === undefined) {
      this.#rootEntry(entry);
      return;
    }
    if (name.startsWith(whiteoutPrefix)) {
      this.#whiteout(parts, name, entry);
      return;
    }
    if (entry.type === 'link') {
      this.#hardLink(parts, name, entry);
      return;
    }
    const [folder] = this.#folders.at(parts);
    const place: Place = { ...folder, name };
    const isThere = this.#clear(place, entry);
    if (!isThere) this.#meter.inode();
    if (entry.type === 'file') {
      const descriptor = openSync(folder.folder.entry(name), 'wx', 0o600);
      this.#open = { descriptor, writeback: new EagerWriteback(descriptor), entry, place };
      this.#meter.file(entry.storedBytes);
      return;
    }
    if (!isThere) makeEntry(folder.folder.entry(name), likenessOf(entry));
    this.#finish(place, entry);
  }

  content(chunk: Uint8Array, offset: number): void {
    if (!this.#open) return;
    const { descriptor, writeback } = this.#open;
    for (let written = 0; written < chunk.length; ) {
      written += writeSync(descriptor, chunk, written, chunk.length - written, offset + written);
    }
    writeback.wroteTo(offset + chunk.length);
  }

  entryEnd(): void {
    const open = this.#open;
    if (!open) return;
    this.#open = undefined;
    const { descriptor, entry, place } = open;
    try {
      if (entry.size !== entry.storedBytes) ftruncateSync(descriptor, entry.size);
      // Owner first, then mode (chown clears setuid), then attributes (chown drops capabilities too), then time.
      fchownSync(descriptor, entry.uid, entry.gid);
      fchmodSync(descriptor, entry.mode);
      setAttributes(place.folder.entry(place.name), ownAttributes(entry));
      futimesSync(descriptor, entry.modifiedSeconds, entry.modifiedSeconds);
    } finally {
      closeSync(descriptor);
    }
  }

  /** To be called last: sets the times of directories, which later entries have touched. */
  finish(): void {
    for (const { parts, seconds } of this.#directoryTimes.values()) {
      const name = parts.at(-1);
      if (name === undefined) {
        utimesSync(this.#root.itself, seconds, seconds);
        continue;
      }
      const [{ folder }] = this.#folders.at(parts.slice(0, -1));
      const path = folder.entry(name);
      if (lstatSync(path, { throwIfNoEntry: false })?.isDirectory()) lutimesSync(path, seconds, seconds);
    }
  }

  /** Closes every descriptor but the root's. */
  [Symbol.dispose](): void {
    if (this.#open) closeSync(this.#open.descriptor);
    this.#open = undefined;
    this.#folders[Symbol.dispose]();
    this.#lower?.[Symbol.dispose]();
  }

  /** `./` gives the root its owner, mode and time. */
  #rootEntry(entry: TarEntry): void {
    if (entry.type !== 'directory')
      throw new ImageError('INVALID_ARGUMENT', 'the root of a layer must be a directory');
    fchownSync(this.#root.descriptor, entry.uid, entry.gid);
    fchmodSync(this.#root.descriptor, entry.mode);
    setAttributes(this.#root.itself, ownAttributes(entry));
    this.#directoryTimes.set('', { parts: [], seconds: entry.modifiedSeconds });
  }

  #whiteout(parts: string[], name: string, entry: TarEntry): void {
    if (name === opaqueMarker) {
      const [{ folder }] = this.#folders.at(parts);
      setXattr(folder.itself, opaqueAttribute, Buffer.from('y'));
      return;
    }
    if (name.startsWith(aufsPrefix)) return;
    const hidden = name.slice(whiteoutPrefix.length);
    if (hidden === '' || hidden === '.' || hidden === '..') {
      throw new ImageError('INVALID_ARGUMENT', `layer entry ${shown(entry.path)} is a whiteout of no file`);
    }
    const [place] = this.#folders.at(parts);
    this.#remove({ ...place, name: hidden });
    makeNode(place.folder.entry(hidden), { type: 'character', mode: 0, major: 0, minor: 0 });
    this.#meter.inode();
  }

  /** Makes way for an entry. True when a directory stays for a directory; anything else goes. */
  #clear(place: Place, entry: TarEntry): boolean {
    const status = lstatSync(place.folder.entry(place.name), { throwIfNoEntry: false });
    if (status?.isDirectory() && entry.type === 'directory') return true;
    if (status) this.#remove(place);
    return false;
  }

  #remove({ folder, parts, name }: Place): void {
    const gone = [...parts, name];
    folder.remove(name);
    this.#folders.forgetBelow(gone);
  }

  /** A link shares the target's inode, so its own mode and owner are not applied (they'd change the target). */
  #hardLink(parts: string[], name: string, entry: TarEntry): void {
    const target = insideParts(entry.linkTarget);
    const targetName = target.pop();
    if (targetName === undefined)
      throw new ImageError(
        'INVALID_ARGUMENT',
        `${shown(entry.path)} is a hard link to the root of the layer`,
      );
    const [source, place] = this.#folders.at(target, parts);
    if (source.folder === place.folder && name === targetName) return;
    const status = lstatSync(source.folder.entry(targetName), { throwIfNoEntry: false });
    if (status?.isDirectory())
      throw new ImageError('INVALID_ARGUMENT', `${shown(entry.path)} is a hard link to a directory`);
    if (!status) this.#copyUp({ ...source, name: targetName }, entry);
    this.#clear({ ...place, name }, entry);
    // What made way may have held the target's folder, which is closed then.
    const [from, to] = this.#folders.at(target, parts);
    linkSync(from.folder.entry(targetName), to.folder.entry(name));
  }

  /** Brings a file of a lower layer into this one, so that a hard link can share its inode. */
  #copyUp({ folder, parts, name }: Place, entry: TarEntry): void {
    if (!this.#lower) throw new ParentNeededError(`the hard link ${shown(entry.path)}`);
    const found = this.#lower.find([...parts, name], (lower) => {
      if (!lower.status.isFile()) return false;
      this.#meter.file(lower.status.size);
      this.#meter.inode();
      copyLowerFile(lower, folder.entry(name));
      return true;
    });
    if (!found)
      throw new ImageError(
        'INVALID_ARGUMENT',
        `${shown(entry.path)} links to ${shown(entry.linkTarget)}, which no layer has`,
      );
  }

  /** A folder that no entry has brought is as the layers below have it, /tmp for instance open to everyone. */
  readonly #adopt: OnImplicitFolder = ({ folder: _, parts, name, descriptor }) => {
    this.#meter.inode();
    if (!this.#lower) throw new ParentNeededError(`the folder ${shown([...parts, name].join('/'))}`);
    this.#lower.find([...parts, name], ({ status }) => {
      if (!status.isDirectory()) return;
      fchownSync(descriptor, status.uid, status.gid);
      fchmodSync(descriptor, status.mode & 0o7777);
    });
  };

  /** The same order as for files; no call follows a link. */
  #finish({ folder, parts, name }: Place, entry: TarEntry): void {
    const { modifiedSeconds: seconds } = entry;
    if (entry.type === 'directory') {
      const full = [...parts, name];
      const [made] = this.#folders.at(full);
      fchownSync(made.folder.descriptor, entry.uid, entry.gid);
      fchmodSync(made.folder.descriptor, entry.mode);
      setAttributes(made.folder.itself, ownAttributes(entry));
      this.#directoryTimes.set(full.join('/'), { parts: full, seconds });
      return;
    }
    finishEntry(folder, name, {
      uid: entry.uid,
      gid: entry.gid,
      mode: entry.type === 'symlink' ? undefined : entry.mode,
      attributes: ownAttributes(entry),
      accessedSeconds: seconds,
      modifiedSeconds: seconds,
    });
  }
}

/** Copies a file with owner, mode, capabilities and time. */
function copyLowerFile(lower: LowerEntry, path: EntryPath): void {
  const source = openLowerFile(lower);
  const target = openSync(path, 'wx', 0o600);
  try {
    const { uid, gid, mode, atimeMs, mtimeMs } = fstatSync(source);
    copyContent(source, target);
    fchownSync(target, uid, gid);
    fchmodSync(target, mode & 0o7777);
    const capabilities = getXattr(lower.folder.entry(lower.name), capabilityAttribute);
    if (capabilities) setXattr(path, capabilityAttribute, capabilities);
    futimesSync(target, atimeMs / 1000, mtimeMs / 1000);
  } finally {
    closeSync(target);
    closeSync(source);
  }
}

/** overlayfs's own marks are never an image's to set. */
const ownAttributes = ({ xattrs }: TarEntry) =>
  [...xattrs].filter(([name]) => !name.startsWith('trusted.') && !name.startsWith('user.overlay.'));

/** Anything but a file or a hard link, which never come here. */
function likenessOf(entry: TarEntry): NewEntry {
  switch (entry.type) {
    case 'symlink':
      return { type: 'symlink', linkTarget: entry.linkTarget };
    case 'character':
    case 'block':
    case 'fifo':
      return { type: entry.type, major: entry.deviceMajor, minor: entry.deviceMinor };
    default:
      return { type: 'directory' };
  }
}

import {
  closeSync,
  constants,
  createReadStream,
  fstatSync,
  lstatSync,
  openSync,
  readlinkSync,
  type Stats,
} from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { deviceNumbers, type EntryPath, getXattr, listXattrs, OpenFolder } from '@wherry/linux';
import { type Header, type Pack, pack } from 'tar-stream';
import { opaqueAttribute } from '../layers/lower-layers.ts';
import { type PaxPair, paxEntry } from '../tar/pax-entry.ts';

/**
 * A folder as a tar, in name order and with times cut to seconds, so that the same tree gives the same digest.
 * Hard links inside the tree stay links; sockets are left out. Links are packed, never followed, whoever else writes
 * to the tree meanwhile.
 */
export const packTree = (root: string): AsyncIterable<Uint8Array> => packed(root, false);

/**
 * The writable folder of an overlay as a tar of an image's layer (OCI image-spec layer.md): what it hides of the layers below becomes
 * whiteouts, and extended attributes are kept but for overlayfs's own. Else as {@link packTree}.
 */
export const packLayer = (root: string): AsyncIterable<Uint8Array> => packed(root, true);

function packed(root: string, isLayer: boolean): AsyncIterable<Uint8Array> {
  const tar = pack();
  void addRoot(tar, root, isLayer).then(
    () => tar.finalize(),
    (error) => tar.destroy(error),
  );
  return tar as AsyncIterable<Uint8Array>;
}

type NamedHeader = Partial<Header> & { name: string };

interface Walk {
  tar: Pack;
  isLayer: boolean;
  /** First name of each file that has several. */
  inodes: Map<string, string>;
}

const folderOnly = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;
const fileOnly = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

async function addRoot(tar: Pack, root: string, isLayer: boolean): Promise<void> {
  using folder = OpenFolder.at(root);
  await addTree({ tar, isLayer, inodes: new Map() }, folder, '');
}

async function addTree(walk: Walk, folder: OpenFolder, path: string): Promise<void> {
  for (const name of folder.names().sort()) {
    const full = path === '' ? name : `${path}/${name}`;
    const status = lstatSync(folder.entry(name));
    if (status.isFile()) {
      await addFile(walk, folder, { name, full });
      continue;
    }
    if (walk.isLayer && isWhiteout(status)) {
      await addMark(walk.tar, path, `.wh.${name}`);
      continue;
    }
    await addOther(walk, folder, { name, full, status });
    if (!status.isDirectory()) continue;
    using below = new OpenFolder(openSync(folder.entry(name), folderOnly));
    if (walk.isLayer && getXattr(below.itself, opaqueAttribute)?.toString() === 'y')
      await addMark(walk.tar, full, '.wh..wh..opq');
    await addTree(walk, below, full);
  }
}

/** How overlayfs hides a file of a lower layer (kernel Documentation/filesystems/overlayfs.rst). */
const isWhiteout = (status: Stats): boolean => status.isCharacterDevice() && status.rdev === 0;

const addMark = (tar: Pack, folder: string, name: string) =>
  new Promise<void>((resolve, reject) => {
    const path = folder === '' ? name : `${folder}/${name}`;
    tar.entry({ name: path, mtime: new Date(0) }, '', (error) => (error ? reject(error) : resolve()));
  });

const headerOf = (name: string, status: Stats): NamedHeader => ({
  name,
  mode: status.mode & 0o7777,
  uid: status.uid,
  gid: status.gid,
  mtime: new Date(Math.floor(status.mtimeMs / 1000) * 1000),
});

/** Anything but a regular file. */
async function addOther(
  { tar, isLayer }: Walk,
  folder: OpenFolder,
  { name, full, status }: { name: string; full: string; status: Stats },
): Promise<void> {
  if (status.isSocket()) return;
  const more = isLayer ? attributesOf(folder.entry(name)) : [];
  const linkname = status.isSymbolicLink() ? readlinkSync(folder.entry(name)) : undefined;
  const header = headerAfterPax(tar, { ...headerOf(full, status), ...(linkname && { linkname }) }, more);
  if (status.isDirectory()) await entry(tar, { ...header, type: 'directory' });
  else if (status.isSymbolicLink()) await entry(tar, { ...header, type: 'symlink' });
  else if (status.isFIFO()) await entry(tar, { ...header, type: 'fifo' });
  else if (status.isCharacterDevice() || status.isBlockDevice()) {
    const { major, minor } = deviceNumbers(status.rdev);
    const type = status.isBlockDevice() ? 'block-device' : 'character-device';
    await entry(tar, { ...header, type, devmajor: major, devminor: minor });
  }
}

async function addFile(
  { tar, isLayer, inodes }: Walk,
  folder: OpenFolder,
  { name, full }: { name: string; full: string },
): Promise<void> {
  const descriptor = openSync(folder.entry(name), fileOnly);
  let isTaken = false;
  try {
    const status = fstatSync(descriptor);
    if (!status.isFile()) throw new Error(`"${full}" was replaced while it was packed`);
    const header = headerOf(full, status);
    const inode = `${status.dev}:${status.ino}`;
    const first = inodes.get(inode);
    if (first !== undefined) {
      await entry(tar, { ...header, type: 'link', linkname: first });
      return;
    }
    if (status.nlink > 1) inodes.set(inode, full);
    const more = isLayer ? attributesOf(folder.entry(name)) : [];
    const file = headerAfterPax(tar, header, more);
    const target = tar.entry({ ...file, type: 'file', size: status.size });
    isTaken = true;
    await pipeline(createReadStream('', { fd: descriptor }), target);
  } finally {
    if (!isTaken) closeSync(descriptor);
  }
}

const entry = (tar: Pack, header: NamedHeader) =>
  new Promise<void>((resolve, reject) => {
    tar.entry(header, (error) => (error ? reject(error) : resolve()));
  });

/** overlayfs's own say nothing to others, and their values lead nowhere elsewhere. */
const attributesOf = (path: EntryPath): PaxPair[] =>
  listXattrs(path)
    .filter((name) => !name.startsWith('trusted.overlay.'))
    .map((name) => [`SCHILY.xattr.${name}`, getXattr(path, name) ?? '']);

/** What the octal numbers of a header hold. */
const idMax = 0o777777;

/**
 * Puts before an entry what a plain header can't say, and answers the header that goes with it. Nothing else may be on its way into
 * the tar. The library's own extensions are texts alone, and two before one entry don't add up.
 */
function headerAfterPax(tar: Pack, header: NamedHeader, attributes: readonly PaxPair[]): NamedHeader {
  const { uid = 0, gid = 0, name, linkname } = header;
  if (attributes.length === 0 && uid <= idMax && gid <= idMax) return header;
  const link: PaxPair[] = linkname ? [['linkpath', linkname]] : [];
  tar.push(paxEntry([['path', name], ...link, ['uid', `${uid}`], ['gid', `${gid}`], ...attributes]));
  const ids = { uid: Math.min(uid, idMax), gid: Math.min(gid, idMax) };
  return { ...header, ...ids, name: 'entry', ...(linkname && { linkname: 'link' }) };
}

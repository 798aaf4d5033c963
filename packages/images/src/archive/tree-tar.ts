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
import { deviceNumbers, OpenFolder } from '@wherry/linux';
import { type Header, type Pack, pack } from 'tar-stream';

/**
 * A folder as a tar, in name order and with times cut to seconds, so that the same tree gives the same digest.
 * Hard links inside the tree stay links; sockets are left out. Links are packed, never followed, whoever else writes
 * to the tree meanwhile.
 */
export function packTree(root: string): AsyncIterable<Uint8Array> {
  const tar = pack();
  void addRoot(tar, root).then(
    () => tar.finalize(),
    (error) => tar.destroy(error),
  );
  return tar as AsyncIterable<Uint8Array>;
}

type NamedHeader = Partial<Header> & { name: string };

interface Walk {
  tar: Pack;
  /** First name of each file that has several. */
  inodes: Map<string, string>;
}

const folderOnly = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;
const fileOnly = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

async function addRoot(tar: Pack, root: string): Promise<void> {
  using folder = OpenFolder.at(root);
  await addTree({ tar, inodes: new Map() }, folder, '');
}

async function addTree(walk: Walk, folder: OpenFolder, path: string): Promise<void> {
  for (const name of folder.names().sort()) {
    const full = path === '' ? name : `${path}/${name}`;
    const status = lstatSync(folder.entry(name));
    if (status.isFile()) {
      await addFile(walk, folder, { name, full });
      continue;
    }
    await addOther(walk.tar, folder, { name, full, status });
    if (!status.isDirectory()) continue;
    using below = new OpenFolder(openSync(folder.entry(name), folderOnly));
    await addTree(walk, below, full);
  }
}

const headerOf = (name: string, status: Stats): NamedHeader => ({
  name,
  mode: status.mode & 0o7777,
  uid: status.uid,
  gid: status.gid,
  mtime: new Date(Math.floor(status.mtimeMs / 1000) * 1000),
});

/** Anything but a regular file. */
async function addOther(
  tar: Pack,
  folder: OpenFolder,
  { name, full, status }: { name: string; full: string; status: Stats },
): Promise<void> {
  const header = headerOf(full, status);
  if (status.isDirectory()) await entry(tar, { ...header, type: 'directory' });
  else if (status.isSymbolicLink())
    await entry(tar, { ...header, type: 'symlink', linkname: readlinkSync(folder.entry(name)) });
  else if (status.isFIFO()) await entry(tar, { ...header, type: 'fifo' });
  else if (status.isCharacterDevice() || status.isBlockDevice()) {
    const { major, minor } = deviceNumbers(status.rdev);
    const type = status.isBlockDevice() ? 'block-device' : 'character-device';
    await entry(tar, { ...header, type, devmajor: major, devminor: minor });
  }
}

async function addFile(
  { tar, inodes }: Walk,
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
    const target = tar.entry({ ...header, type: 'file', size: status.size });
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

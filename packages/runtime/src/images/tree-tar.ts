import { createReadStream } from 'node:fs';
import { lstat, readdir, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { type Header, type Pack, pack } from 'tar-stream';

/**
 * A folder as a tar, in name order and with times cut to seconds, so that the same tree gives the same digest.
 * Hard links inside the tree stay links; sockets are left out.
 */
export function packTree(root: string): AsyncIterable<Uint8Array> {
  const tar = pack();
  void addTree({ tar, root, inodes: new Map() }, '').then(
    () => tar.finalize(),
    (error) => tar.destroy(error),
  );
  return tar as AsyncIterable<Uint8Array>;
}

type NamedHeader = Partial<Header> & { name: string };

interface Walk {
  tar: Pack;
  root: string;
  /** First name of each file that has several. */
  inodes: Map<string, string>;
}

async function addTree(walk: Walk, folder: string): Promise<void> {
  const names = (await readdir(join(walk.root, folder))).sort();
  for (const name of names) {
    const path = folder === '' ? name : `${folder}/${name}`;
    if (await addEntry(walk, path)) await addTree(walk, path);
  }
}

/** Adds one entry; answers whether it is a folder. */
async function addEntry({ tar, root, inodes }: Walk, path: string): Promise<boolean> {
  const full = join(root, path);
  const status = await lstat(full);
  const header: NamedHeader = {
    name: path,
    mode: status.mode & 0o7777,
    uid: status.uid,
    gid: status.gid,
    mtime: new Date(Math.floor(status.mtimeMs / 1000) * 1000),
  };
  if (status.isDirectory()) {
    await entry(tar, { ...header, type: 'directory' });
    return true;
  }
  if (status.isSymbolicLink())
    await entry(tar, { ...header, type: 'symlink', linkname: await readlink(full) });
  else if (status.isFIFO()) await entry(tar, { ...header, type: 'fifo' });
  else if (status.isCharacterDevice() || status.isBlockDevice()) {
    const { major, minor } = deviceNumbers(status.rdev);
    const type = status.isBlockDevice() ? 'block-device' : 'character-device';
    await entry(tar, { ...header, type, devmajor: major, devminor: minor });
  } else if (status.isFile()) {
    const inode = `${status.dev}:${status.ino}`;
    const first = inodes.get(inode);
    if (first !== undefined) await entry(tar, { ...header, type: 'link', linkname: first });
    else {
      if (status.nlink > 1) inodes.set(inode, path);
      await pipeline(createReadStream(full), tar.entry({ ...header, type: 'file', size: status.size }));
    }
  }
  return false;
}

const entry = (tar: Pack, header: NamedHeader) =>
  new Promise<void>((resolve, reject) => {
    tar.entry(header, (error) => (error ? reject(error) : resolve()));
  });

/** glibc's layout of dev_t (sys/sysmacros.h). */
function deviceNumbers(device: number): { major: number; minor: number } {
  const wide = BigInt(device);
  return {
    major: Number(((wide >> 8n) & 0xfffn) | ((wide >> 32n) & ~0xfffn)),
    minor: Number((wide & 0xffn) | ((wide >> 12n) & ~0xffn)),
  };
}

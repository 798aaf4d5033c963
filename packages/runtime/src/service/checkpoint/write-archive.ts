import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { packLayer, packTree } from '@wherry/images';

const forOwnerAlone = 0o600;

/** Packs a folder into a new file, which has its name only once it is whole; what was there is replaced. */
export async function packIntoFile(folder: string, path: string, signal: AbortSignal): Promise<void> {
  const partial = `${path}.${randomUUID()}.partial`;
  try {
    const target = createWriteStream(partial, { flags: 'wx', mode: forOwnerAlone });
    await pipeline(packTree(folder), target, { signal });
    await rename(partial, path);
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
}

/** Packs what a container has written to its root, as a layer. */
export async function packRootDiff(upper: string, path: string, signal: AbortSignal): Promise<void> {
  const target = createWriteStream(path, { flags: 'wx', mode: forOwnerAlone });
  await pipeline(packLayer(upper), target, { signal });
}

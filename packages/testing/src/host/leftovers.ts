import { lstatSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '@wherry/clock';
import { isAlive, type ProcessIdentity } from '@wherry/linux';
import { limits } from '../limits.ts';
import { hostFolderPrefix, ownerFile } from './folder.ts';

/**
 * Ends and removes what hosts of this user have left that were killed themselves, or that the machine took down. Those
 * that live are left alone, and so is `own`.
 */
export async function clearLeftovers(own: string): Promise<void> {
  const folders = readdirSync(tmpdir())
    .filter((name) => name.startsWith(hostFolderPrefix))
    .map((name) => join(tmpdir(), name))
    .filter((folder) => folder !== own && isAbandoned(folder));
  if (folders.length === 0) return;
  const { layoutOf, stopNode } = await import('@wherry/node');
  for (const folder of folders) {
    for (const name of readdirSync(folder)) {
      if (name.startsWith('node-')) await stopNode(layoutOf(join(folder, name)), { purge: true });
    }
    rmSync(folder, { recursive: true, force: true });
  }
}

function isAbandoned(folder: string): boolean {
  try {
    const found = lstatSync(folder);
    if (!found.isDirectory() || found.uid !== process.geteuid?.()) return false;
    const owner = readOwner(folder);
    return owner ? !isAlive(owner) : systemClock.nowMs() - found.mtimeMs > limits.unsignedAgeMs;
  } catch {
    // It went meanwhile.
    return false;
  }
}

function readOwner(folder: string): ProcessIdentity | undefined {
  try {
    return JSON.parse(readFileSync(join(folder, ownerFile), 'utf8')) as ProcessIdentity;
  } catch {
    return undefined;
  }
}

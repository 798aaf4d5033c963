import { chmodSync, mkdirSync, statSync } from 'node:fs';

const ownerBits = 0o700;
const othersBits = 0o077;

/**
 * Makes a folder that nobody but this process's user can enter, with its missing parents; takes the rights of others
 * off one that is there already. What lies below may then have any mode: setuid files of images for instance.
 */
export function makePrivateFolder(path: string): void {
  mkdirSync(path, { recursive: true, mode: ownerBits });
  const { mode } = statSync(path);
  if ((mode & othersBits) !== 0) chmodSync(path, mode & ownerBits);
}

import { ImageError } from '../errors.ts';
import { limits } from '../limits.ts';

/** UTF-8 bytes of one UTF-16 unit. */
const utf8BytesMax = 3;

/**
 * The parts of a path inside a root; `..` that would leave the root is refused, and so is what no file system holds.
 * Throws `ImageError` INVALID_ARGUMENT.
 */
export function insideParts(path: string): string[] {
  const bad = (why: string) => new ImageError('INVALID_ARGUMENT', `layer entry ${shown(path)} ${why}`);
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '' || part === '.') continue;
    if (part !== '..') parts.push(part);
    else if (parts.pop() === undefined) throw bad('leads out of the root of the image');
  }
  if (path.includes('\0')) throw bad('has a NUL in its name');
  // Most paths are so short that nothing in them can be too long.
  if (path.length * utf8BytesMax <= limits.nameBytesMax) return parts;
  if (Buffer.byteLength(path) > limits.pathBytesMax) throw bad(`is longer than ${limits.pathBytesMax} bytes`);
  if (parts.length > limits.pathDepthMax) throw bad(`is deeper than ${limits.pathDepthMax} folders`);
  if (parts.some((part) => Buffer.byteLength(part) > limits.nameBytesMax))
    throw bad(`has a name longer than ${limits.nameBytesMax} bytes`);
  return parts;
}

/** A path for a message: quoted, so that odd characters show, and not too long. */
export const shown = (path: string): string =>
  JSON.stringify(path.length > 200 ? `${path.slice(0, 200)}…` : path);

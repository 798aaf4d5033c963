import { createReadStream, existsSync, statSync } from 'node:fs';
import { createImageClient, packTree } from '@wherry/images';
import type { ImageParameters } from './protocol.ts';

/** Loads or builds an image and gives back the names that it has. Throws `RangeError` when the file is not there. */
export async function loadImage(
  socketPath: string,
  { path, name, ...build }: ImageParameters,
  signal: AbortSignal,
): Promise<string[]> {
  if (!existsSync(path)) throw new RangeError(`image "${path}": there is no such file or folder`);
  const client = createImageClient(socketPath);
  const bytes = statSync(path).isDirectory() ? packTree(path) : createReadStream(path);
  if (name !== undefined) return (await client.build(bytes, { name, ...build }, { signal })).names;
  return (await client.load(bytes, { signal })).images.flatMap(({ names }) => names);
}

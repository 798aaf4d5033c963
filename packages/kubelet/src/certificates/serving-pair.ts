import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A serving certificate and its key, PEM. */
export interface ServingPair {
  cert: Buffer | string;
  key: Buffer | string;
}

/** Reads a certificate and its key. */
export async function readPair(certFile: string, keyFile: string): Promise<ServingPair> {
  const [cert, key] = await Promise.all([readFile(certFile), readFile(keyFile)]);
  return { cert, key };
}

/**
 * A pair for `names` that nobody else has signed: the one that stands in `folder` as `NAME.crt` and `NAME.key`, or a new one, which is
 * kept there; half a pair is none. Without a folder it is made anew each time.
 */
export async function ownPair(
  { folder, name, commonName = name }: { folder?: string; name: string; commonName?: string },
  names: readonly string[],
  nowMs: number,
): Promise<ServingPair> {
  const make = async () => (await import('./self-signed.ts')).selfSigned(commonName, names, nowMs);
  if (folder === undefined) return make();
  const [certFile, keyFile] = [join(folder, `${name}.crt`), join(folder, `${name}.key`)];
  const [cert, key] = await Promise.all([readIfThere(certFile), readIfThere(keyFile)]);
  if (cert && key) return { cert, key };
  const pair = await make();
  await mkdir(folder, { recursive: true, mode: 0o750 });
  await writeFile(keyFile, pair.key, { mode: 0o600 });
  await writeFile(certFile, pair.cert, { mode: 0o644 });
  return pair;
}

async function readIfThere(file: string): Promise<Buffer | undefined> {
  try {
    return await readFile(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return undefined;
  }
}

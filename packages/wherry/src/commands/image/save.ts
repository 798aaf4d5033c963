import { createWriteStream, renameSync, rmSync } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { CommandError } from '../../errors.ts';
import { formatBytes } from '../../output/bytes.ts';
import { ProgressBar } from '../../output/progress-bar.ts';
import { type ImageOptions, withImages } from './connect.ts';

/** Options of `wherry image save`. */
export interface SaveOptions extends Omit<ImageOptions, 'output'> {
  /** A file, or `-` for standard output. */
  output: string;
}

/** Writes images into a tar that `docker load` and `wherry image load` read. A file is whole or not there. */
export async function saveImages(names: string[], { output, ...options }: SaveOptions): Promise<void> {
  if (output === '-' && process.stdout.isTTY) {
    throw new CommandError('standard output is a terminal; name a file with -o, or pipe it on');
  }
  await withImages(options, async (images, signal) => {
    let bytes = 0;
    {
      using bar = new ProgressBar(`saving ${names.join(', ')}`);
      const tar = bar.count(await images.save(names, { signal }));
      const counted = async function* () {
        for await (const chunk of tar) {
          bytes += chunk.byteLength;
          yield chunk;
        }
      };
      if (output === '-') await pipeline(counted, process.stdout, { signal, end: false });
      else await writeWhole(output, counted, signal);
    }
    if (output !== '-') console.log(`saved ${names.join(', ')} to ${output} (${formatBytes(bytes)})`);
  });
}

async function writeWhole(
  path: string,
  content: () => AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): Promise<void> {
  const draft = `${path}.${process.pid}.draft`;
  try {
    await pipeline(content, createWriteStream(draft, { flags: 'wx' }), { signal });
    renameSync(draft, path);
  } finally {
    rmSync(draft, { force: true });
  }
}

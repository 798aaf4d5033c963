import type { Transfer, TransferProgress } from '@wherry/images';
import { print, printValue } from '../../output/listing.ts';
import { isValueFormat } from '../../output/output-format.ts';
import { ProgressBar } from '../../output/progress-bar.ts';
import { type ImageOptions, withImages } from './connect.ts';
import { registryAuth } from './registry-auth.ts';
import { withAdvice } from './transfer-errors.ts';

/** Options of `wherry image pull` and `push`. */
export interface TransferOptions extends ImageOptions {
  /** `USER:PASSWORD`. */
  creds?: string;
  /** The name to push it under. */
  as?: string;
}

/** Pulls images from their registries. */
export async function pullImages(names: readonly string[], options: TransferOptions): Promise<void> {
  await withImages(options, async (images, signal) => {
    for (const name of names) {
      const auth = await registryAuth(name, { creds: options.creds, signal });
      const pulled = await shown(`pulling ${name}`, images.pull(name, { auth, signal }));
      if (isValueFormat(options.output)) printValue(pulled, options.output);
      else if (options.output === 'name') print(pulled.names.join('\n') || pulled.id);
      else print(`pulled ${pulled.names.join(', ') || name} (${pulled.id})`);
    }
  });
}

/** Pushes an image to a registry. */
export async function pushImage(name: string, options: TransferOptions): Promise<void> {
  const as = options.as ?? name;
  await withImages(options, async (images, signal) => {
    const auth = await registryAuth(as, { creds: options.creds, signal });
    const pushed = await shown(`pushing ${as}`, images.push(name, { as: options.as, auth, signal }));
    if (isValueFormat(options.output)) printValue(pushed, options.output);
    else print(options.output === 'name' ? pushed.digest : `pushed ${pushed.digest}`);
  });
}

/** What a transfer comes to, with a bar of all its blobs together on the way. */
export async function shown<Result>(title: string, { done, progress }: Transfer<Result>): Promise<Result> {
  using bar = new ProgressBar(title);
  const blobs = new Map<string, TransferProgress>();
  for await (const news of progress) {
    blobs.set(news.digest, news);
    const moved = [...blobs.values()].filter(({ phase }) => phase !== 'present');
    const sum = (field: 'doneBytes' | 'totalBytes') => moved.reduce((bytes, blob) => bytes + blob[field], 0);
    const ended = [...blobs.values()].filter(({ phase }) => phase === 'present' || phase === 'done').length;
    bar.show(sum('doneBytes'), sum('totalBytes'), `${ended} of ${blobs.size} blobs`);
  }
  try {
    return await done;
  } catch (error) {
    throw withAdvice(error, title);
  }
}

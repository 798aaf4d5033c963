import { createReadStream, statSync } from 'node:fs';
import { createImageClient, type ImageClient } from '@wherry/images';
import type { NodeLayout } from '@wherry/node';
import { CommandError } from '../../errors.ts';
import type { Steps } from '../../output/steps.ts';
import { registryAuth } from '../image/registry-auth.ts';
import { shown } from '../image/transfer.ts';

/** What a node that is up is given. */
export interface Giving {
  layout: NodeLayout;
  steps: Steps;
  /** Archives to load, which are files, or names to pull. */
  images: readonly string[];
  signal: AbortSignal;
}

/** Gives a node its images. Throws for the first that fails; the node stays up. */
export async function giveImages({ layout, steps, images, signal }: Giving): Promise<void> {
  const store = createImageClient(layout.imageSocket);
  for (const image of images) {
    await steps.run('image', async () => {
      if (isFile(image)) return load(store, image, signal);
      if (isPath(image)) throw new CommandError(`image "${image}": there is no such file`);
      return pull(store, image, signal);
    });
  }
}

/** Nobody calls an image like that. */
const isPath = (image: string) => /^(\.{0,2}\/|~)/.test(image) || /\.tar$/.test(image);

const isFile = (path: string) => statSync(path, { throwIfNoEntry: false })?.isFile() === true;

async function load(images: ImageClient, path: string, signal: AbortSignal): Promise<string> {
  const { images: loaded } = await images.load(createReadStream(path), { signal });
  return loaded.map(({ names, id }) => names[0] ?? id).join(', ');
}

async function pull(images: ImageClient, name: string, signal: AbortSignal): Promise<string> {
  const auth = await registryAuth(name, { signal });
  const pulled = await shown(`pulling ${name}`, images.pull(name, { auth, signal }));
  return pulled.names[0] ?? name;
}

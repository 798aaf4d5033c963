import { createReadStream, statSync } from 'node:fs';
import type { KubeClient } from '@wherry/client';
import { createCriClient } from '@wherry/cri';
import { createImageClient } from '@wherry/images';
import type { NodeLayout } from '@wherry/node';
import type { Steps } from '../../output/steps.ts';
import { applyFiles } from '../objects/apply.ts';

/** What a node that is up is given. */
export interface Furnishing {
  layout: NodeLayout;
  client: KubeClient;
  steps: Steps;
  /** Archives to load, which are files, or names to pull. */
  images: readonly string[];
  /** Files, folders and URLs of objects. */
  manifests: string[];
}

/** Gives a node its images, and then its objects. Throws for the first that fails; the node stays up. */
export async function furnish({ layout, client, steps, images, manifests }: Furnishing): Promise<void> {
  for (const image of images) {
    await steps.run('image', () => (isFile(image) ? load(layout, image) : pull(layout, image)));
  }
  if (manifests.length === 0) return;
  await steps.run('manifests', async () => `${await applyFiles(client, manifests)} applied`);
}

const isFile = (path: string) => statSync(path, { throwIfNoEntry: false })?.isFile() === true;

async function load(layout: NodeLayout, path: string): Promise<string> {
  const { images } = await createImageClient(layout.imageSocket).load(createReadStream(path));
  return images.map(({ names, id }) => names[0] ?? id).join(', ');
}

async function pull(layout: NodeLayout, name: string): Promise<string> {
  const client = createCriClient(layout.criSocket);
  try {
    await client.images.pullImage({ image: { image: name } });
    return name;
  } finally {
    client.close();
  }
}

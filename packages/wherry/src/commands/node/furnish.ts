import { createReadStream, statSync } from 'node:fs';
import type { KubeClient } from '@wherry/client';
import { createImageClient, type ImageClient } from '@wherry/images';
import type { NodeLayout } from '@wherry/node';
import type { Steps } from '../../output/steps.ts';
import { registryAuth } from '../image/registry-auth.ts';
import { shown } from '../image/transfer.ts';
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
  signal: AbortSignal;
}

/** Gives a node its images, and then its objects. Throws for the first that fails; the node stays up. */
export async function furnish({
  layout,
  client,
  steps,
  images,
  manifests,
  signal,
}: Furnishing): Promise<void> {
  const store = createImageClient(layout.imageSocket);
  for (const image of images) {
    await steps.run('image', () => (isFile(image) ? load(store, image, signal) : pull(store, image, signal)));
  }
  if (manifests.length === 0) return;
  await steps.run('manifests', async () => `${await applyFiles(client, manifests)} applied`);
}

const isFile = (path: string) => statSync(path, { throwIfNoEntry: false })?.isFile() === true;

async function load(images: ImageClient, path: string, signal: AbortSignal): Promise<string> {
  const { images: loaded } = await images.load(createReadStream(path), { signal });
  return loaded.map(({ names, id }) => names[0] ?? id).join(', ');
}

async function pull(images: ImageClient, name: string, signal: AbortSignal): Promise<string> {
  const auth = registryAuth(name, undefined);
  const pulled = await shown(`pulling ${name}`, images.pull(name, { auth, signal }));
  return pulled.names[0] ?? name;
}

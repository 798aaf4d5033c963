import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { packTree } from '@wherry/images';
import { makeBusyboxTree } from '../cri/busybox-tree.ts';
import { layerOf, makeImage } from '../cri/make-image.ts';
import type { RegistryImage } from '../cri/registry.ts';
import type { Story } from './story.ts';

/** The host that most images are named by. */
const imageHost = 'stories.test';

/** Hosts that images come from: their registry is led to the stories' own. */
export const imageHosts = [imageHost, 'docker.io'] as const;

/** What the stories' containers are made of. */
export async function makeStoryImages(folder: string): Promise<RegistryImage[]> {
  const tree = join(folder, 'tree');
  await mkdir(tree, { recursive: true });
  makeBusyboxTree(tree);
  const box = await buffer(packTree(tree));
  const files = await layerOf([
    { name: 'data', mode: 0o750, uid: 1000, gid: 1000 },
    { name: 'data/kept', mode: 0o640, uid: 1000, gid: 1000, content: 'kept\n' },
    { name: 'plain', mode: 0o644, content: 'no program\n' },
    { name: 'broken', mode: 0o755, content: '#!/no/such/shell\n' },
    { name: 'garbage', mode: 0o755, content: 'neither script nor program' },
  ]);
  const layers = [box, files];
  const env = ['PATH=/bin', 'FROM_IMAGE=image', 'GREETING=hello $(FROM_IMAGE)'];
  return [
    ...['library/box:1', 'library/box:latest'].map((name) => makeImage({ name, layers, cmd: ['sh'] })),
    makeImage({ name: 'box:1', layers, cmd: ['sh'], env: ['PATH=/bin'] }),
    makeImage({
      ...{
        name: 'worded:1',
        layers,
        env,
        user: '1000:1000',
        workingDir: '/work/deep',
        volumes: ['/data', '/fresh'],
      },
      ...{ entrypoint: ['echo', 'entry'], cmd: ['from', 'image'], stopSignal: 'SIGUSR1' },
    }),
    makeImage({ name: 'named-user:1', layers, cmd: ['id'], user: 'default-user' }),
    makeImage({ name: 'unknown-user:1', layers, cmd: ['id'], user: 'nobody-knows' }),
    makeImage({ name: 'wordless:1', layers }),
  ];
}

/** Brings them all, so that other stories do not tell of pulls. */
export const imagesCome: Story = {
  name: 'images-come',
  spec: {
    restartPolicy: 'Never',
    containers: ['box', 'worded', 'named-user', 'unknown-user', 'wordless'].map((name) => ({
      name,
      image: `${imageHost}/${name}:1`,
      command: ['true'],
      securityContext: { runAsUser: 0 },
    })),
  },
};

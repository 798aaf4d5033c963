import { readFileSync } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import { packTree } from '@wherry/images';
import { type LayerEntry, layerOf, makeImage } from './make-image.ts';
import type { RegistryImage } from './registry.ts';

interface ImageRecipe {
  /** `path:tag` as critest asks for it, without the host. */
  name: string;
  user?: string;
  entrypoint?: string[];
  cmd?: string[];
}

const architecture = process.arch === 'arm64' ? 'arm64' : 'amd64';
const endToEnd = 'e2e-test-images';
const staging = 'k8s-staging-cri-tools';
const serve = (port: number) => ['httpd', '-f', '-p', `${port}`, '-h', '/www'];

/** What critest wants to exist (its pkg/validate), by what each image must do. */
const recipes: ImageRecipe[] = [
  { name: `${endToEnd}/busybox:1.29-2`, cmd: ['sh'] },
  { name: `${endToEnd}/nginx:1.14-2`, entrypoint: ['/bin/nginx', 'master process'] },
  {
    name: `${endToEnd}/httpd:2.4.39-4`,
    entrypoint: ['sh', '-c', `echo httpd serves; exec ${serve(80).join(' ')}`],
  },
  { name: `${endToEnd}/nonewprivs:1.3`, entrypoint: ['/bin/effectiveuid'] },
  { name: `${staging}/hostnet-nginx-${architecture}:latest`, entrypoint: serve(12003) },
  { name: `${staging}/test-image-predefined-group:latest`, user: '1000' },
  { name: `${staging}/test-image-latest:latest` },
  { name: `${staging}/test-image-tag:test` },
  { name: `${staging}/test-image-tag:all` },
  ...[1, 2, 3].map((number) => ({ name: `${staging}/test-image-${number}:latest` })),
  ...[1, 2, 3].map((number) => ({ name: `${staging}/test-image-tags:${number}` })),
  { name: `${staging}/test-image-user-uid:latest`, user: '1002' },
  { name: `${staging}/test-image-user-username:latest`, user: 'www-data' },
  { name: `${staging}/test-image-user-uid-group:latest`, user: '1003:users' },
  { name: `${staging}/test-image-user-username-group:latest`, user: 'www-data:100' },
  { name: 'pause:3.9', cmd: ['sleep', '1000000'] },
];

/** One image: the shared base, a file that tells it apart, and its configuration. */
async function imageOf(recipe: ImageRecipe, base: Buffer, effectiveUid: string): Promise<RegistryImage> {
  const entries: LayerEntry[] = [{ name: 'made-for', mode: 0o644, content: distinctOf(recipe.name) }];
  if (recipe.name.includes('nonewprivs')) {
    entries.push({ name: 'bin/effectiveuid', mode: 0o4755, content: readFileSync(effectiveUid) });
  }
  return makeImage({ ...recipe, cmd: recipe.cmd ?? ['sh'], layers: [base, await layerOf(entries)] });
}

/** Tags of the repository `test-image-tags` must name one and the same image. */
const distinctOf = (name: string) => (name.includes('test-image-tags:') ? 'test-image-tags' : name);

/** Every image that critest asks for, except the one that it pins by a published digest. */
export async function makeTestImages(busyboxTree: string, effectiveUid: string): Promise<RegistryImage[]> {
  const base = await buffer(packTree(busyboxTree));
  return Promise.all(recipes.map((recipe) => imageOf(recipe, base, effectiveUid)));
}

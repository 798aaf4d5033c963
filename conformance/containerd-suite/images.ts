import { mkdirSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { packTree } from '@wherry/images';
import { makeBusyboxTree } from '../cri/busybox-tree.ts';
import { type LayerEntry, layerOf, makeImage } from '../cri/make-image.ts';
import type { RegistryImage } from '../cri/registry.ts';

/** Where the names of the suite's images begin. */
export const imageHosts = ['ghcr.io', 'registry.k8s.io'];

interface ImageRecipe {
  /** `path:tag` as the suite asks for it, without the host. */
  name: string;
  entrypoint?: string[];
  volumes?: string[];
  entries: LayerEntry[];
}

const nobody = 65534;
const text = (name: string, content: string): LayerEntry => ({ name, content, mode: 0o644 });
const program = (name: string, ...lines: string[]): LayerEntry => ({
  name,
  content: ['#!/bin/sh', ...lines, ''].join('\n'),
  mode: 0o755,
});
const forever = 'exec sleep 1000000';
const copiedUp = {
  '/test_dir': 'test_file',
  'C:/weird_test_dir': 'weird_test_file',
  '/:colon_prefixed': 'colon_prefixed_file',
};

/** What the suite wants to exist, by what each image must do. */
const recipes: ImageRecipe[] = [
  { name: 'containerd/busybox:1.36', entries: [] },
  { name: 'containerd/alpine:3.14.0', entries: [text('etc/os-release', 'NAME="Alpine Linux"\n')] },
  { name: 'pause:3.10.2', entrypoint: ['/pause'], entries: [program('pause', forever)] },
  {
    name: 'e2e-test-images/resource-consumer:1.10',
    entrypoint: ['sleep', '1000000'],
    // `stress -m 1 --vm-bytes 100M …` holds its memory: here in what dd has read and nobody takes.
    entries: [program('bin/stress', 'dd if=/dev/zero bs=110M count=1 | sleep 30')],
  },
  {
    name: 'containerd/volume-copy-up:2.2',
    volumes: Object.keys(copiedUp),
    entries: Object.entries(copiedUp).map(([folder, name]) =>
      text(`${folder.replace(/^\//, '')}/${name}`, 'test_content\n'),
    ),
  },
  {
    name: 'containerd/volume-ownership:2.1',
    volumes: ['/test_dir'],
    entries: [{ name: 'test_dir', mode: 0o755, uid: nobody, gid: nobody }],
  },
  {
    name: 'containerd/nginx:1.27.0',
    entrypoint: ['/bin/nginx'],
    // nginx opens its standard error anew, which is what the suite is after.
    entries: [program('bin/nginx', 'echo "start worker processes" > /dev/stderr', forever)],
  },
];

/** As in Docker's busybox: root is in the group wheel, and daemon has its own. */
const etc = {
  passwd: 'root:x:0:0:root:/root:/bin/sh\ndaemon:x:1:1:daemon:/usr/sbin:/bin/false\n',
  group: 'root:x:0:\ndaemon:x:1:\nwheel:x:10:root\n',
};

/** The images of the suite. */
export async function makeSuiteImages(): Promise<RegistryImage[]> {
  const folder = await mkdtemp(join(tmpdir(), 'wherry-suite-'));
  try {
    makeBusyboxTree(folder);
    mkdirSync(join(folder, 'dev'));
    for (const [name, content] of Object.entries(etc)) writeFileSync(join(folder, 'etc', name), content);
    const base = await buffer(packTree(folder));
    return await Promise.all(
      recipes.map(async ({ entries, ...recipe }) =>
        makeImage({
          ...(!recipe.entrypoint && { cmd: ['sh'] }),
          ...recipe,
          layers: [base, await layerOf([text('made-for', recipe.name), ...entries])],
        }),
      ),
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

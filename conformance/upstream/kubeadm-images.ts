/** The images of a control plane, made of the programs that are built here. */
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type ImageClient, packTree } from '@wherry/images';
import { makeBusyboxTree } from '../cri/busybox-tree.ts';
import { buildUpstream } from './build.ts';

/** Where they would come from: nobody is there, so that none is pulled. */
export const imageRepository = 'control-plane.invalid';
export const kubernetesVersion = 'v1.36.2';

/** Images by the programs in them, with the tags that kubeadm of this version asks for. */
const tags = {
  'kube-apiserver': kubernetesVersion,
  'kube-controller-manager': kubernetesVersion,
  'kube-scheduler': kubernetesVersion,
  etcd: '3.6.8-0',
} as const;

/** What the loader of a program says it needs. */
function librariesOf(program: string): string[] {
  const lines = execFileSync('ldd', [program], { encoding: 'utf8' });
  return [...lines.matchAll(/(?<=^|\s)\/\S+/gm)].map(([path]) => path);
}

/** Puts them into a runtime, one after the other, and an image `wherry-test` with a shell. */
export async function loadControlPlane(images: ImageClient): Promise<void> {
  for (const [name, tag] of Object.entries(tags)) {
    const program = await buildUpstream(name as keyof typeof tags);
    await buildImage(images, `${imageRepository}/${name}:${tag}`, (tree) => {
      for (const path of librariesOf(program)) {
        mkdirSync(join(tree, dirname(path)), { recursive: true });
        copyFileSync(path, join(tree, path));
      }
      copyFileSync(program, join(tree, 'bin', name));
    });
  }
  // Our runtime has none in its sandboxes; kubeadm wants it there.
  await buildImage(images, `${imageRepository}/pause:3.10.2`, () => {});
  await loadShell(images);
}

/** Puts an image with a shell into a runtime. */
export const loadShell = (images: ImageClient) =>
  buildImage(images, 'docker.io/library/wherry-test:latest', () => {});

async function buildImage(images: ImageClient, name: string, fill: (tree: string) => void): Promise<void> {
  const tree = mkdtempSync(join(tmpdir(), 'kubeadm-image-'));
  try {
    makeBusyboxTree(tree);
    fill(tree);
    await images.build(packTree(tree), { name, cmd: ['sh'] });
  } finally {
    rmSync(tree, { recursive: true, force: true });
  }
}

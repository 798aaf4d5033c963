/** The images of a control plane, made of the programs that are built here. */
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type ImageClient, packTree } from '@wherry/images';
import { makeBusyboxTree } from '../cri/busybox-tree.ts';
import { buildGoPeer } from '../peers/go-peer.ts';
import { buildUpstream } from './build.ts';

/** Where they would come from: nobody is there, so that none is pulled. */
export const imageRepository = 'control-plane.invalid';
export const kubernetesVersion = 'v1.36.2';

/** Images of the control plane by the programs in them, with the tags that kubeadm of this version asks for. */
const tags = {
  'kube-apiserver': kubernetesVersion,
  'kube-controller-manager': kubernetesVersion,
  'kube-scheduler': kubernetesVersion,
  etcd: '3.6.8-0',
} as const;

/** What an image is to hold beside a shell. */
interface ImageContent {
  /** Programs of this machine, by their paths in the image. */
  programs?: Readonly<Record<string, string>>;
  entrypoint?: string[];
}

/** Puts them into a runtime, one after the other. */
export async function loadControlPlane(images: ImageClient): Promise<void> {
  for (const [name, tag] of Object.entries(tags)) {
    const program = await buildUpstream(name as keyof typeof tags);
    await buildImage(images, `${imageRepository}/${name}:${tag}`, {
      programs: { [`/bin/${name}`]: program },
    });
  }
  await loadCoreDns(images);
}

/** Puts the image of etcd into a runtime. */
export async function loadEtcd(images: ImageClient): Promise<void> {
  await buildImage(images, `${imageRepository}/etcd:${tags.etcd}`, {
    programs: { '/bin/etcd': await buildUpstream('etcd') },
  });
}

/** Puts an image of CoreDNS into a runtime, by default that which kubeadm of this version asks for. */
export async function loadCoreDns(
  images: ImageClient,
  name = `${imageRepository}/coredns:v1.14.2`,
): Promise<void> {
  await buildImage(images, name, {
    programs: { '/coredns': await buildGoPeer('corednsjudge') },
    entrypoint: ['/coredns'],
  });
}

/** Puts images into a runtime that every node needs: kube-proxy, with Debian's nft, and those of every machine. */
export async function loadNodeImages(images: ImageClient): Promise<void> {
  const proxy = await buildUpstream('kube-proxy');
  await buildImage(images, `${imageRepository}/kube-proxy:${kubernetesVersion}`, {
    programs: { '/usr/local/bin/kube-proxy': proxy, '/bin/nft': '/usr/sbin/nft' },
  });
  await loadMachineImages(images);
}

/** Puts images into a runtime that kubeadm wants on every machine, and `wherry-test`, a shell. */
export async function loadMachineImages(images: ImageClient): Promise<void> {
  // Our runtime has none in its sandboxes; kubeadm wants it there, and runs it to see whether a pod can.
  await buildImage(images, `${imageRepository}/pause:3.10.2`, { entrypoint: ['/bin/true'] });
  await loadShell(images);
}

/** Puts `wherry-test`, a shell, into a runtime. */
export const loadShell = (images: ImageClient) => buildImage(images, 'docker.io/library/wherry-test:latest');

/** Makes an image of programs of this machine, with what their loader needs, and puts it into a runtime. */
export async function buildImage(
  images: ImageClient,
  name: string,
  { programs = {}, entrypoint }: ImageContent = {},
): Promise<void> {
  const tree = mkdtempSync(join(tmpdir(), 'kubeadm-image-'));
  try {
    makeBusyboxTree(tree);
    for (const [path, program] of Object.entries(programs)) placeProgram(tree, path, program);
    await images.build(packTree(tree), { name, ...(entrypoint ? { entrypoint } : { cmd: ['sh'] }) });
  } finally {
    rmSync(tree, { recursive: true, force: true });
  }
}

/** Copies a program of this machine, with what its loader needs, to a path in a tree. */
export function placeProgram(tree: string, path: string, program: string): void {
  const place = (from: string, to: string) => {
    mkdirSync(join(tree, dirname(to)), { recursive: true });
    copyFileSync(from, join(tree, to));
  };
  place(program, path);
  for (const library of librariesOf(program)) place(library, library);
}

/** What the loader of a program says it needs: nothing where it is linked statically. */
function librariesOf(program: string): string[] {
  const { stdout } = spawnSync('ldd', [program], { encoding: 'utf8' });
  return [...stdout.matchAll(/(?<=^|\s)\/\S+/gm)].map(([path]) => path);
}

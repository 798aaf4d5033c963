/** The images of a control plane with our programs in the places of upstream's. */
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type ImageClient, packTree } from '@wherry/images';
import { makeBusyboxTree } from '../cri/busybox-tree.ts';
import { imageRepository, kubernetesVersion, loadCoreDns, loadEtcd, placeProgram } from './kubeadm-images.ts';

const clone = dirname(dirname(import.meta.dirname));

/** Upstream's programs, what stands for each, and where in its image. */
const roles = {
  'kube-apiserver': { role: 'apiserver', folder: 'bin' },
  'kube-controller-manager': { role: 'controllers', folder: 'bin' },
  'kube-scheduler': { role: 'scheduler', folder: 'bin' },
  'kube-proxy': { role: 'network', folder: 'usr/local/bin' },
} as const;

interface Locked {
  resolved?: string;
  link?: boolean;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
}

/** The folders of a package and of all that it needs, in the clone: ours, and those that are installed. */
function foldersOf(start: string): Set<string> {
  const text = readFileSync(join(clone, 'package-lock.json'), 'utf8');
  const locked = new Map(Object.entries((JSON.parse(text) as { packages: Record<string, Locked> }).packages));
  const folders = new Set<string>();
  const find = (from: string, name: string): string | undefined => {
    for (let at = from; ; at = dirname(at)) {
      const folder = join(at === '.' ? '' : at, 'node_modules', name);
      const found = locked.get(folder);
      if (found) return found.link ? found.resolved : folder;
      if (at === '.') return undefined;
    }
  };
  const add = (folder: string) => {
    // What is for other kinds of machine is not installed.
    if (folders.has(folder) || !existsSync(join(clone, folder))) return;
    folders.add(folder);
    const { dependencies, optionalDependencies } = locked.get(folder) ?? {};
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
      const found = find(folder, name);
      if (found) add(found);
    }
  };
  add(start);
  return folders;
}

/** Puts them into a runtime, with etcd and CoreDNS as kubeadm of this version asks for them. */
export async function loadOwnControlPlane(images: ImageClient): Promise<void> {
  const tree = mkdtempSync(join(tmpdir(), 'own-plane-'));
  try {
    makeBusyboxTree(tree);
    placeProgram(tree, '/opt/node', process.execPath);
    for (const folder of foldersOf('packages/node')) {
      const to = join(tree, 'opt/wherry', folder);
      const filter = (path: string) =>
        path === join(clone, folder) || !path.includes(join(folder, 'node_modules'));
      cpSync(join(clone, folder), to, { recursive: true, filter });
      if (!folder.startsWith('packages/')) continue;
      const link = join(tree, 'opt/wherry/node_modules/@wherry', folder.slice('packages/'.length));
      mkdirSync(dirname(link), { recursive: true });
      symlinkSync(join('../..', folder), link);
    }
    placeProgram(tree, '/bin/nft', '/usr/sbin/nft');
    for (const [name, { role, folder }] of Object.entries(roles)) {
      mkdirSync(join(tree, folder), { recursive: true });
      const text = `#!/bin/sh\nexec /opt/node /opt/wherry/packages/node/src/main.ts ${role} "$@"\n`;
      writeFileSync(join(tree, folder, name), text, { mode: 0o755 });
    }
    for (const name of Object.keys(roles))
      await images.build(packTree(tree), {
        ...{ name: `${imageRepository}/${name}:${kubernetesVersion}`, cmd: ['sh'] },
      });
  } finally {
    rmSync(tree, { recursive: true, force: true });
  }
  await loadEtcd(images);
  await loadCoreDns(images);
}

/** What flannel's manifest names, made of what is built here. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ImageClient } from '@wherry/images';
import { buildImage } from '../upstream/kubeadm-images.ts';
import { buildNetworkProgram, flannelFolder } from './build.ts';

const libraries = '/usr/lib/x86_64-linux-gnu/xtables';
const iptables = ['iptables', 'ip6tables'].flatMap((name) => [name, `${name}-save`, `${name}-restore`]);

/** flannel's manifest. The plug-in that is built here knows no newer version of CNI than the one written into it. */
export async function flannelManifest(): Promise<string> {
  const text = readFileSync(join(await flannelFolder(), 'Documentation/kube-flannel.yml'), 'utf8');
  return text.replace('"cniVersion": "1.0.0"', '"cniVersion": "0.4.0"');
}

/** Puts the images of a manifest into a runtime: the daemon with Debian's iptables, and the plug-in. */
export async function loadFlannel(images: ImageClient, manifest: string): Promise<void> {
  const [pluginImage = '', daemonImage = ''] = [...manifest.matchAll(/image: (\S+)/g)].map(
    ([, name]) => name,
  );
  await buildImage(images, pluginImage, {
    programs: { '/flannel': await buildNetworkProgram('flannel-plugin') },
  });
  const tables = iptables.map((name) => [`/sbin/${name}`, '/usr/sbin/xtables-nft-multi']);
  const matches = readdirSync(libraries).map((name) => [join(libraries, name), join(libraries, name)]);
  await buildImage(images, daemonImage, {
    programs: {
      '/opt/bin/flanneld': await buildNetworkProgram('flanneld'),
      '/opt/bin/install-conf': await buildNetworkProgram('install-conf'),
      ...Object.fromEntries([...tables, ...matches]),
    },
  });
}

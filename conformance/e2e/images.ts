/** The images that Kubernetes' suite runs, made here: of Debian's packages and of the suite's own Go programs. */
import { execFile } from 'node:child_process';
import { hash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { appendFile, copyFile, mkdir, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { packTree } from '@wherry/images';
import { makeBusyboxTree } from '../cri/busybox-tree.ts';
import { buildEffectiveUid } from '../cri/judges.ts';
import { type LayerEntry, layerOf, makeImage } from '../cri/make-image.ts';
import type { RegistryImage } from '../cri/registry.ts';
import { buildGoPeer } from '../peers/go-peer.ts';
import { etcdProgram } from '../upstream/etcd.ts';
import {
  binFolder,
  buildAgnhost,
  buildConsumeCpu,
  buildConsumer,
  buildHostPathPlugin,
  buildRegistrar,
  buildResetProbe,
  buildSampleApiServer,
  buildSampleDevicePlugin,
  buildSidecar,
  kubernetesFolder,
} from './build.ts';

const run = promisify(execFile);

/** What the suite's containers call besides Debian's minimal system. */
const packages = [
  'curl',
  'bind9-dnsutils',
  'netcat-openbsd',
  'iproute2',
  'iputils-ping',
  'iperf',
  'net-tools',
  'wget',
  'conntrack',
  'nginx-light',
  'procps',
  'util-linux',
  'bash-static',
  'stress',
];
/** What no container reads. */
const ballast = [
  'usr/share/doc',
  'usr/share/man',
  'usr/share/locale',
  'var/lib/apt',
  'var/cache',
  'dev',
  'proc',
  'sys',
];
const welcome = '<!DOCTYPE html>\n<title>Welcome to nginx!</title>\n<h1>Welcome to nginx!</h1>\n';

/** Of busybox, where Debian's lacks it: the one question that specs ask it, the time with its milliseconds. */
const nmeter = (bash: string) => `#!${bash}
[ "$*" = "-d0 %3t" ] || { echo "nmeter: no answer to '$*': see the suite's images" >&2; exit 1; }
now=$EPOCHREALTIME
printf '%(%T)T.%.3s\\n' "\${now%.*}" "\${now#*.}"
`;

/** Named by what is in it: a list that has changed, or what is done to it, makes another. */
const debianTar = join(binFolder, `e2e-debian-${hash('sha1', `${packages}${prepare}`).slice(0, 8)}.tar`);
const staticShell = join(binFolder, 'e2e-sh');

/** A Debian system as one layer; debootstrap makes it once, a minute's work, and it is kept beside the programs. */
async function debianLayer(): Promise<Buffer> {
  if (!existsSync(debianTar) || !existsSync(staticShell)) {
    const folder = await mkdtemp(join(tmpdir(), 'wherry-e2e-debian-'));
    try {
      const words = ['--variant=minbase', `--include=${packages.join(',')}`, 'bookworm', folder];
      await run('debootstrap', words, { maxBuffer: 16 << 20 }).catch(explain);
      for (const path of ballast) await rm(join(folder, path), { recursive: true, force: true });
      await prepare(folder);
      await mkdir(binFolder, { recursive: true });
      await copyFile(join(folder, 'bin/bash-static'), staticShell);
      await writeFile(`${debianTar}.new`, packTree(folder));
      await rename(`${debianTar}.new`, debianTar);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }
  return readFileSync(debianTar);
}

function explain(error: unknown): never {
  const hint = 'the images of the suite are made of Debian packages: apt-get install debootstrap';
  throw (error as NodeJS.ErrnoException).code === 'ENOENT' ? new Error(hint, { cause: error }) : error;
}

/** Users, folders and pages that specs look for. */
async function prepare(root: string): Promise<void> {
  await appendFile(join(root, 'etc/passwd'), 'user-defined-in-image:x:1000:1000::/home:/bin/sh\n');
  await appendFile(
    join(root, 'etc/group'),
    'user-defined-in-image:x:1000:\ngroup-defined-in-image:x:50000:user-defined-in-image\n',
  );
  for (const name of ['dev', 'proc', 'sys', 'uploads', 'usr/share/nginx/html', 'var/cache', 'var/log/nginx'])
    await mkdir(join(root, name), { recursive: true });
  // Specs ask by `[[`, which the shell of Alpine's images knows and Debian's does not.
  await rm(join(root, 'usr/bin/sh'));
  await symlink('bash', join(root, 'usr/bin/sh'));
  await writeFile(join(root, 'usr/share/nginx/html/index.html'), welcome);
  const site = 'server { listen 80; listen [::]:80; root /usr/share/nginx/html; }\n';
  await rm(join(root, 'etc/nginx/sites-enabled/default'), { force: true });
  await writeFile(join(root, 'etc/nginx/conf.d/default.conf'), site);
}

/** What the pods of CSI drivers are made of. */
async function driverImages(debian: Buffer): Promise<RegistryImage[]> {
  /** An image of one program, called as the image, on top of other layers. */
  const imageOf = async (image: string, path: string, below: readonly Buffer[] = []) => {
    const [program = ''] = image.split(':');
    const layers = [...below, await programLayer(program, path)];
    return makeImage({ name: `sig-storage/${image}`, layers, entrypoint: [`/${program}`] });
  };
  return [
    await imageOf('hostpathplugin:v1.17.1', await buildHostPathPlugin(), [debian]),
    await imageOf('csi-node-driver-registrar:v2.16.0', await buildRegistrar()),
    await imageOf('csi-attacher:v4.11.0', await buildSidecar('external-attacher/v4/cmd/csi-attacher')),
    await imageOf(
      'csi-provisioner:v6.1.1',
      await buildSidecar('external-provisioner/v6/cmd/csi-provisioner'),
    ),
    await imageOf('csi-resizer:v2.1.0', await buildSidecar('external-resizer/v2/cmd/csi-resizer')),
  ];
}

/** Every image that can be made here, by the names that the suite of this version asks for. */
export async function makeSuiteImages(): Promise<RegistryImage[]> {
  const busyboxTree = await mkdtemp(join(tmpdir(), 'wherry-e2e-busybox-'));
  try {
    makeBusyboxTree(busyboxTree);
    // Upstream's busybox hands on a variable whose name no shell can use (`data-1`), which Debian's does not. Specs that
    // look for one call `sh` by PATH, and those that read what busybox's shell says call /bin/sh.
    const debian = await debianLayer();
    await mkdir(join(busyboxTree, 'usr/local/bin'), { recursive: true });
    await copyFile(staticShell, join(busyboxTree, 'usr/local/bin/sh'));
    await writeFile(join(busyboxTree, 'bin/nmeter'), nmeter('/usr/local/bin/sh'), { mode: 0o755 });
    const [busybox, agnhost] = await Promise.all([buffer(packTree(busyboxTree)), agnhostLayer()]);
    const paused = makeImage({ name: 'pause:testing', layers: [busybox], entrypoint: ['sleep', 'infinity'] });
    const served = await servedLayer(paused);
    const effectiveUid = readFileSync(await buildEffectiveUid());
    const nnp = await layerOf([{ name: 'usr/local/bin/nnp', mode: 0o4755, content: effectiveUid }]);
    const etcd = await programLayer('usr/local/bin/etcd', etcdProgram());
    const resetProbe = await programLayer('regression-issue-74839', await buildResetProbe());
    const consumer = await programLayer('consumer', await buildConsumer());
    const consumeCpu = await programLayer('consume-cpu/consume-cpu', await buildConsumeCpu());
    const sampleApiServer = await programLayer('sample-apiserver', await buildSampleApiServer());
    const devicePlugin = await programLayer('sampledeviceplugin', await buildSampleDevicePlugin());
    const page = (name: string) =>
      layerOf([
        { name: 'data.json', mode: 0o644, content: `{\n"image": "${name}.jpg"\n}\n` },
        { name: `${name}.jpg`, mode: 0o644, content: name },
        // Upstream's are built on it, and a spec looks for it in a volume made of one.
        { name: 'etc/os-release', mode: 0o644, content: 'NAME="Alpine Linux"\n' },
      ]);
    const e2e = (name: string) => `e2e-test-images/${name}`;
    const program = { entrypoint: ['/agnhost'], cmd: ['pause'] };
    const serve = { entrypoint: ['nginx', '-g', 'daemon off;'] };
    const pages = await Promise.all(
      ['nautilus', 'kitten'].map(async (name) => ({ name, layer: await page(name) })),
    );
    return [
      ...(await driverImages(debian)),
      makeImage({ name: e2e('busybox:1.36.1-1'), layers: [busybox], cmd: ['sh'] }),
      makeImage({ name: e2e('agnhost:2.63.0'), layers: [debian, agnhost, served], ...program }),
      makeImage({ name: e2e('agnhost:2.55'), layers: [debian, agnhost], ...program, cmd: ['pause', '--'] }),
      makeImage({ name: e2e('busybox:1.37.0-1'), layers: [busybox], cmd: ['sh'] }),
      makeImage({ name: e2e('nonroot:1.5'), layers: [busybox], user: '1234', cmd: ['sh'] }),
      makeImage({ name: e2e('nonewprivs:1.4'), layers: [busybox, nnp], cmd: ['/usr/local/bin/nnp'] }),
      makeImage({ name: 'build-image/distroless-iptables:v0.9.3', layers: [debian], cmd: ['sh'] }),
      makeImage({ name: e2e('glibc-dns-testing:2.0.0'), layers: [debian], cmd: ['sh'] }),
      makeImage({ name: e2e('ipc-utils:1.4'), layers: [debian], cmd: ['sh'] }),
      makeImage({ name: e2e('perl:5.26'), layers: [debian], cmd: ['perl'] }),
      makeImage({ name: e2e('nginx:1.15-4'), layers: [debian], ...serve }),
      makeImage({ name: e2e('nginx:1.27-0'), layers: [debian], ...serve, cmd: [] }),
      makeImage({
        ...{ name: e2e('resource-consumer:1.14'), layers: [debian, consumer, consumeCpu] },
        entrypoint: ['/consumer'],
      }),
      makeImage({ name: 'pause:3.10.2', layers: [busybox, agnhost], entrypoint: ['/agnhost', 'pause'] }),
      makeImage({ name: 'etcd:3.6.8-0', layers: [debian, etcd], cmd: ['etcd'] }),
      makeImage({
        ...{ name: e2e('sample-apiserver:1.29.2'), layers: [debian, sampleApiServer] },
        entrypoint: ['/sample-apiserver'],
      }),
      makeImage({
        ...{ name: e2e('regression-issue-74839:1.4'), layers: [debian, resetProbe] },
        entrypoint: ['/regression-issue-74839'],
      }),
      makeImage({
        ...{ name: e2e('sample-device-plugin:1.7'), layers: [debian, devicePlugin] },
        entrypoint: ['/sampledeviceplugin'],
      }),
      ...pages.map(({ name, layer }) =>
        makeImage({
          name: e2e(`${name}:1.8`),
          layers: [debian, agnhost, layer],
          entrypoint: ['/agnhost'],
          cmd: ['test-webserver'],
        }),
      ),
    ];
  } finally {
    await rm(busyboxTree, { recursive: true, force: true });
  }
}

const programLayer = (name: string, path: string): Promise<Buffer> =>
  layerOf([{ name, mode: 0o755, content: readFileSync(path) }]);

/** What `agnhost fake-registry-server` serves. */
function servedLayer({ name, manifest, blobs }: RegistryImage): Promise<Buffer> {
  const [path = '', tag = ''] = name.split(':');
  const file = (kind: string, content: Buffer): LayerEntry => {
    const digest = hash('sha256', content, 'hex');
    const place = `sha256/${digest.slice(0, 2)}/${digest}/data`;
    return { name: `var/registry/${path}/${kind}/${place}`, mode: 0o644, content };
  };
  return layerOf([
    file('manifests', manifest),
    ...blobs.map((blob) => file('blobs', blob)),
    {
      name: `var/registry/${path}/manifests/${tag}`,
      mode: 0o644,
      content: `sha256:${hash('sha256', manifest, 'hex')}`,
    },
  ]);
}

async function agnhostLayer(): Promise<Buffer> {
  const content = readFileSync(await buildAgnhost());
  const programs: LayerEntry[] = ['agnhost', 'agnhost-2'].map((name) => ({ name, mode: 0o755, content }));
  const certificates = join(await kubernetesFolder(), 'test/images/agnhost/porter');
  const files = ['localhost.crt', 'localhost.key'].map((name) => ({
    name,
    mode: 0o644,
    content: readFileSync(join(certificates, name)),
  }));
  const dns = { name: 'coredns', mode: 0o755, content: readFileSync(await buildGoPeer('corednsjudge')) };
  const clock = { name: 'usr/local/bin/nmeter', mode: 0o755, content: nmeter('/bin/bash') };
  return layerOf([...programs, ...files, dns, clock]);
}

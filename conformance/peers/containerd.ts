import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type CriClient, createCriClient } from '@wherry/cri';
import { stretched } from '../../e2e/slowness.ts';
import { busyboxImage } from './image.ts';

/** A containerd of our own: its data, its sockets and its network are apart from any other on the machine. */
export interface Containerd {
  client: CriClient;
  socketPath: string;
  /** What it keeps; its shims' command lines name it. */
  folder: string;
  pid: number;
  /** Name of the busybox image in its store. */
  image: string;
  /** Removes every pod, ends containerd and deletes what it left. */
  close(): Promise<void>;
}

const startLimitMs = stretched(30_000);
const pauseImage = 'peer.test/pause:1';
const busyboxName = 'peer.test/busybox:1';
const packages = ['containerd', 'containernetworking-plugins', 'runc', 'busybox-static'];

function installPackages(): void {
  if (existsSync('/usr/bin/containerd') && existsSync('/usr/lib/cni/bridge') && existsSync('/bin/busybox'))
    return;
  console.error(`installing ${packages.join(' ')}: containerd is the peer of this test`);
  const environment = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  execFileSync('apt-get', ['update', '-qq'], { stdio: ['ignore', 'ignore', 'inherit'] });
  execFileSync('apt-get', ['install', '-y', '-qq', ...packages], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: environment,
  });
}

const configuration = (folder: string, registryConfig?: string) => `version = 2
root = "${folder}/root"
state = "${folder}/state"
disabled_plugins = ["io.containerd.internal.v1.opt", "io.containerd.internal.v1.tracing"]
[grpc]
  address = "${folder}/containerd.sock"
[plugins."io.containerd.grpc.v1.cri"]
  sandbox_image = "${pauseImage}"
  restrict_oom_score_adj = true
  stream_server_address = "127.0.0.1"
  stream_server_port = "0"
  [plugins."io.containerd.grpc.v1.cri".containerd]
    snapshotter = "overlayfs"
  [plugins."io.containerd.grpc.v1.cri".cni]
    bin_dir = "/usr/lib/cni"
    conf_dir = "${folder}/cni"
${registryConfig === undefined ? '' : `  [plugins."io.containerd.grpc.v1.cri".registry]\n    config_path = "${registryConfig}"\n`}`;

const network = (folder: string, bridge: string, range: number) =>
  JSON.stringify({
    cniVersion: '0.4.0',
    name: 'peer',
    plugins: [
      {
        type: 'bridge',
        bridge,
        isGateway: true,
        ipMasq: false,
        ipam: {
          type: 'host-local',
          dataDir: `${folder}/ipam`,
          ranges: [[{ subnet: `10.${range}.0.0/16` }]],
          routes: [{ dst: '0.0.0.0/0' }],
        },
      },
    ],
  });

async function importImages(folder: string): Promise<void> {
  const images = [
    { name: pauseImage, entrypoint: ['/bin/busybox', 'sleep', '2147483647'] },
    { name: busyboxName },
  ];
  for (const [index, options] of images.entries()) {
    const file = join(folder, `image-${index}.tar`);
    await writeFile(file, await busyboxImage(options));
    execFileSync('ctr', ['-a', `${folder}/containerd.sock`, '-n', 'k8s.io', 'images', 'import', file], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    await rm(file);
  }
}

async function untilReady(client: CriClient, log: string): Promise<void> {
  const deadline = performance.now() + startLimitMs;
  for (;;) {
    try {
      await client.runtime.version({}, { timeoutMs: 1000 });
      return;
    } catch (error) {
      if (performance.now() > deadline) {
        throw new Error(`containerd did not start:\n${await readFile(log, 'utf8')}`, { cause: error });
      }
      await sleep(50);
    }
  }
}

async function removePods(client: CriClient): Promise<void> {
  const { items } = await client.runtime.listPodSandbox();
  for (const { id } of items) {
    await client.runtime.stopPodSandbox({ podSandboxId: id });
    await client.runtime.removePodSandbox({ podSandboxId: id });
  }
}

/** Which containerd to start. */
export interface ContainerdOptions {
  /** Folder with `containerd` and its shim; by default Debian's, which is installed if it is missing. */
  programs?: string;
  /** Folder that says where registries are mirrored: HOST/hosts.toml. */
  registryConfig?: string;
  /** Whether Ctrl-C at the terminal passes it by, so that who started it can still remove its pods; by default false. */
  detached?: boolean;
}

/** Each peer of one process has a bridge of its own, and each of the machine a range: a peer elsewhere may not have its bridge yet. */
let count = 0;
const [firstRange, rangeCount] = [200, 52];
const ranges = Array.from({ length: rangeCount }, (_, at) => firstRange + ((process.pid + at) % rangeCount));

/** A range that no interface of the machine is in, and that no earlier peer of this process was given. */
function freeRange(): number {
  const addresses = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
  const free = ranges.find((range) => !addresses.some(({ address }) => address.startsWith(`10.${range}.`)));
  if (free === undefined) throw new Error(`the machine has interfaces in all of 10.${ranges.join(', 10.')}`);
  ranges.splice(ranges.indexOf(free), 1);
  return free;
}

/** Starts a containerd as a peer, with a busybox image loaded. */
export async function startContainerd({
  programs,
  registryConfig,
  detached = false,
}: ContainerdOptions = {}): Promise<Containerd> {
  installPackages();
  const folder = await mkdtemp(join(tmpdir(), 'containerd-'));
  const [bridge, range] = [`peer${process.pid}.${count}`, freeRange()];
  count++;
  await mkdir(join(folder, 'cni'));
  await writeFile(join(folder, 'cni', '10-peer.conflist'), network(folder, bridge, range));
  await writeFile(join(folder, 'config.toml'), configuration(folder, registryConfig));
  const log = join(folder, 'containerd.log');
  const daemon = spawn('sh', ['-c', 'exec containerd -c "$0/config.toml" >"$1" 2>&1', folder, log], {
    stdio: 'ignore',
    detached,
    env: programs ? { ...process.env, PATH: `${programs}:${process.env['PATH']}` } : process.env,
  });
  const exited = once(daemon, 'exit');
  const socketPath = join(folder, 'containerd.sock');
  const client = createCriClient(socketPath);
  const close = async () => {
    await removePods(client).catch((error: unknown) => console.error('containerd: pods were left', error));
    client.close();
    daemon.kill('SIGTERM');
    await exited;
    execFileSync('sh', ['-c', `ip link delete ${bridge} 2>/dev/null; true`]);
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await untilReady(client, log);
    await importImages(folder);
  } catch (error) {
    await close();
    throw error;
  }
  return { client, socketPath, folder, pid: daemon.pid ?? 0, image: busyboxName, close };
}

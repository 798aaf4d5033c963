import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { type CriClient, createCriClient } from '@wherry/cri';
import { createImageClient } from '@wherry/images';
import { detectCgroups, foldersAt, RouteNetlink, removeGroup, removeTable } from '@wherry/linux';
import { startContainerd } from '../../conformance/peers/containerd.ts';
import { busyboxImage } from '../../conformance/peers/image.ts';
import { stretched } from '../../e2e/slowness.ts';

/** A runtime that is measured. */
export interface RuntimeSide {
  name: string;
  client: CriClient;
  /** The busybox image that its pods run. */
  image: string;
  /** What it keeps: the command lines of its processes name it. */
  folder: string;
  close(): Promise<void>;
}

const image = 'bench.test/busybox:1';
const wherry = new URL('../../packages/wherry/bin/wherry.cjs', import.meta.url).pathname;
const readyMs = stretched(30_000);

const start = (words: string[]) =>
  spawn(process.execPath, [wherry, ...words], { stdio: ['ignore', 'ignore', 'inherit'], detached: true });

async function end(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit');
  if (child.exitCode === null && child.kill('SIGTERM')) await ended;
}

async function untilReady(client: CriClient): Promise<void> {
  const deadline = performance.now() + readyMs;
  for (;;) {
    const { status } = await client.runtime
      .status({}, { timeoutMs: 1000 })
      .catch(() => ({ status: undefined }));
    if (status?.conditions.every((condition) => condition.status)) return;
    if (performance.now() > deadline) throw new Error('wherry runtime did not become ready');
    await delay(50);
  }
}

/** `wherry runtime` and `wherry monitor`, as users run them. */
export async function startWherry(): Promise<RuntimeSide> {
  const folder = await mkdtemp(join(tmpdir(), 'wherry-bench-cri-'));
  const bridge = `wb${process.pid}`;
  const [monitorDir, runtimeDir] = [join(folder, 'monitor'), join(folder, 'runtime')];
  for (const each of [monitorDir, runtimeDir]) await mkdir(each);
  const [monitorSocket, socket] = [join(monitorDir, 'monitor.sock'), join(runtimeDir, 'cri.sock')];
  const monitor = start(['monitor', '--data-dir', monitorDir, '--address', monitorSocket]);
  const where = ['--data-dir', runtimeDir, '--address', socket, '--monitor-address', monitorSocket];
  const apart = ['--bridge', bridge, '--cgroup-root', `/${bridge}`, '--pod-cidr', '10.241.0.0/22'];
  const runtime = start(['runtime', ...where, ...apart]);
  const client = createCriClient(socket);
  await untilReady(client);
  await createImageClient(join(runtimeDir, 'images.sock')).load(
    Readable.from([await busyboxImage({ name: image })]),
  );
  return {
    ...{ name: 'wherry', client, image, folder },
    async close() {
      for (const { id } of (await client.runtime.listPodSandbox()).items)
        await client.runtime.removePodSandbox({ podSandboxId: id });
      client.close();
      for (const child of [runtime, monitor]) await end(child);
      using routes = new RouteNetlink();
      routes.deleteLink(bridge);
      for (const family of ['ip', 'bridge'] as const) removeTable({ family, name: `wherry-${bridge}` });
      removeGroup(foldersAt(detectCgroups(), `/${bridge}`));
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** A containerd; Debian's without a folder of programs. */
export async function startPeer(programs: string | undefined): Promise<RuntimeSide> {
  const peer = await startContainerd({ ...(programs !== undefined && { programs }), detached: true });
  const { runtimeVersion } = await peer.client.runtime.version();
  return { ...peer, name: `containerd ${runtimeVersion.replace(/^v|[~+].*/g, '')}` };
}

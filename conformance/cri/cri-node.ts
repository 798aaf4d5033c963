import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type CriClient, createCriClient } from '@wherry/cri';
import { createImageClient, type ImageClient } from '@wherry/images';
import { detectCgroups, foldersAt, readMountInfo, removeGroup, unmount } from '@wherry/linux';
import { clearStage, type RuntimeOptions } from '@wherry/runtime';
import { stretched } from '../../e2e/slowness.ts';

/** The half of a node that speaks CRI: a monitor and a runtime, each in its own process. */
export interface CriNode {
  /** `unix://…`, as crictl and critest take it. */
  endpoint: string;
  client: CriClient;
  images: ImageClient;
  folder: string;
  /** Ends a runtime with SIGKILL and starts another on the same folder. */
  replaceRuntime(): Promise<void>;
  /** Removes all pods, ends both processes, leaves nothing behind. */
  close(): Promise<void>;
}

const readyMs = stretched(30_000);

function start(script: string, argument: string): ChildProcess {
  return spawn(process.execPath, [join(import.meta.dirname, script), argument], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

async function stop(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill(signal);
  await ended;
}

/** Waits until a runtime answers. */
export async function untilReady(client: CriClient): Promise<void> {
  const deadline = performance.now() + readyMs;
  for (;;) {
    try {
      await client.runtime.version({}, { timeoutMs: 1000 });
      return;
    } catch (error) {
      if (performance.now() > deadline) throw error;
      await delay(50);
    }
  }
}

/** Starts one under the system's temporary folder, on a bridge and range of its own. Needs root. */
export async function startCriNode(
  options: Pick<RuntimeOptions, 'registryConfig' | 'podCidr' | 'nriSocketPath' | 'nriTimes'> = {},
): Promise<CriNode> {
  const folder = await mkdtemp(join(tmpdir(), 'wherry-cri-'));
  const dataDir = join(folder, 'runtime');
  const monitorDir = join(folder, 'monitor');
  const bridgeName = `wt${process.pid}`;
  const runtimeOptions: RuntimeOptions = {
    // Each process has a range of its own: others may run at the same time.
    podCidr: `10.87.${process.pid % 256}.0/24`,
    ...options,
    dataDir,
    bridgeName,
    monitorSocketPath: join(monitorDir, 'monitor.sock'),
  };
  const monitor = start('serve-monitor.ts', monitorDir);
  const startRuntimeProcess = () => start('serve-runtime.ts', JSON.stringify(runtimeOptions));
  let runtime = startRuntimeProcess();
  const socketPath = join(dataDir, 'cri.sock');
  const client = createCriClient(socketPath);
  await untilReady(client);
  return {
    endpoint: `unix://${socketPath}`,
    client,
    images: createImageClient(join(dataDir, 'images.sock')),
    folder,
    async replaceRuntime() {
      await stop(runtime, 'SIGKILL');
      runtime = startRuntimeProcess();
      await untilReady(client);
    },
    async close() {
      const { items } = await client.runtime.listPodSandbox();
      for (const { id } of items)
        await client.runtime.removePodSandbox({ podSandboxId: id }).catch(console.error);
      client.close();
      await stop(runtime, 'SIGTERM');
      await stop(monitor, 'SIGTERM');
      removeTraces(bridgeName, folder);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Takes away what a runtime that has ended left behind: mounts below its folder, its bridge, tables and control groups. */
export function removeTraces(bridgeName: string, folder: string): void {
  const inside = readMountInfo().filter(({ mountPoint }) => mountPoint.startsWith(`${folder}/`));
  for (const { mountPoint } of inside.reverse()) unmount(mountPoint, { detach: true });
  execFileSync('ip', ['link', 'delete', bridgeName], { stdio: 'ignore' });
  for (const family of ['ip', 'bridge'])
    execFileSync('nft', ['delete', 'table', family, `wherry-${bridgeName}`], { stdio: 'ignore' });
  clearStage(bridgeName);
  removeGroup(foldersAt(detectCgroups(), `/${bridgeName}`));
}

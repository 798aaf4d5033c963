import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, linkSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type ContainerConfig,
  type CriClient,
  createCriClient,
  type Input,
  isCriError,
  type PodSandboxConfig,
} from '@wherry/cri';
import { createImageClient, packTree } from '@wherry/images';
import { detectCgroups, foldersAt, RouteNetlink, readMountInfo, removeGroup, unmount } from '@wherry/linux';
import { startMonitor } from '@wherry/monitor';
import { silentLogger } from '@wherry/telemetry';
import { needProgram, needRoot } from '../../linux/test/needs.ts';
import { type KillableProcess, spawnMonitor } from '../../monitor/test/spawn-monitor.ts';
import { clearStage, type Runtime, type RuntimeOptions, startRuntime } from '../src/index.ts';

/** A monitor and a runtime in this process, with a busybox image named `box`. */
export interface TestNode {
  cri: CriClient;
  folder: string;
  bridgeName: string;
  /** The monitor, when it was asked for as a process of its own. */
  readonly monitor: KillableProcess | null;
  /** Starts another monitor on the same folder; the one before was killed. */
  startMonitor(): Promise<void>;
  /** A monitor that was started on `monitorOptions` from outside is this node's from now on. */
  adoptMonitor(process: KillableProcess): void;
  readonly monitorOptions: { dataDir: string; socketPath: string };
  readonly runtimeOptions: RuntimeOptions;
  /** Ends the runtime; {@link restart} starts another. */
  closeRuntime(): Promise<void>;
  /** Ends the runtime and starts another on the same folder; `between` runs while there is none. */
  restart(between?: () => void): Promise<void>;
  /** Runs a pod; `change` is laid over a minimal configuration. */
  runPod(change?: Input<PodSandboxConfig>): Promise<string>;
  /** Creates and starts a container that runs a shell script. */
  runScript(podSandboxId: string, script: string, change?: Input<ContainerConfig>): Promise<string>;
  /** What a command prints inside a container; one that takes longer than a minute fails. */
  output(containerId: string, ...command: string[]): Promise<string>;
  /** Waits until a container has ended; answers its status. */
  ended(containerId: string): Promise<{ exitCode: number; reason: string; logPath: string }>;
  log(name: string): string;
  /** Builds an image of busybox and what `change` makes of its tree. */
  buildImage(name: string, change: (root: string) => void): Promise<void>;
  close(): Promise<void>;
}

function makeTree(root: string): void {
  for (const name of ['bin', 'etc', 'tmp']) mkdirSync(join(root, name), { recursive: true });
  copyFileSync('/bin/busybox', join(root, 'bin/busybox'));
  for (const applet of execFileSync('/bin/busybox', ['--list'], { encoding: 'utf8' }).trim().split('\n')) {
    if (applet !== 'busybox') linkSync(join(root, 'bin/busybox'), join(root, 'bin', applet));
  }
  writeFileSync(join(root, 'etc/passwd'), 'root:x:0:0::/:/bin/sh\nuser:x:1000:1000::/:/bin/sh\n');
  writeFileSync(join(root, 'etc/group'), 'root:x:0:\nuser:x:1000:\nimage:x:5000:user\n');
}

let count = 0;

/** How a test node's monitor differs. */
export interface TestMonitorOptions {
  /** The OCI runtime's program, made in the node's folder. */
  ociRuntime?: (folder: string) => string;
  /** A process of its own, which can be killed. */
  apart?: boolean;
}

const bridgePrefix = 'wu';
/** Longer than any command of a test takes: one that hangs fails its test, and the node is cleared away. */
const commandTimeoutSeconds = 60;

/**
 * Takes away the networks of test files that were ended before they could: two bridges with one range would lead each
 * other's packets astray.
 */
function clearOrphans(): void {
  for (const name of orphanedBridges(bridgePrefix)) clearNetwork(name);
}

/** Bridges that are named by the prefix and the id of a process that is gone. */
export function orphanedBridges(prefix: string): string[] {
  using routes = new RouteNetlink();
  const named = new RegExp(`^${prefix}(\\d+)$`);
  return routes
    .links()
    .map(({ name }) => name)
    .filter((name) => named.test(name) && !existsSync(`/proc/${name.slice(prefix.length)}`));
}

function clearNetwork(bridgeName: string): void {
  execFileSync('ip', ['link', 'delete', bridgeName]);
  // A deletion of a table that may not be there has to make it first.
  for (const family of ['ip', 'ip6', 'bridge']) {
    const table = `table ${family} wherry-${bridgeName}`;
    execFileSync('nft', [`add ${table}; delete ${table}`]);
  }
}

/**
 * Starts one on a bridge, an address range and a cgroup of its own; `change` is laid over the runtime's options. Files
 * run side by side: no two have the same `subnet`.
 */
export async function startTestNode(
  subnet: number,
  change: Partial<RuntimeOptions> = {},
  { ociRuntime, apart = false }: TestMonitorOptions = {},
): Promise<TestNode> {
  needRoot();
  needProgram('/bin/busybox', 'busybox-static');
  clearOrphans();
  const folder = await mkdtemp(join(tmpdir(), 'wherry-runtime-'));
  makeTree(join(folder, 'tree'));
  const monitorSocketPath = join(folder, 'monitor.sock');
  const monitorOptions = {
    dataDir: join(folder, 'monitor'),
    socketPath: monitorSocketPath,
    ...(ociRuntime && { ociRuntime: ociRuntime(folder) }),
  };
  const monitorInside = apart ? null : await startMonitor({ ...monitorOptions, logger: silentLogger });
  let monitor = apart ? await spawnMonitor(monitorOptions) : null;
  const bridgeName = `${bridgePrefix}${process.pid}`;
  const options: RuntimeOptions = {
    dataDir: join(folder, 'runtime'),
    monitorSocketPath,
    bridgeName,
    podCidr: `10.85.${subnet}.0/24`,
    logger: silentLogger,
    ...change,
  };
  const first = await startRuntime(options);
  let runtime: Runtime | null = first;
  await createImageClient(first.adminSocketPath).build(packTree(join(folder, 'tree')), { name: 'box' });
  const cri = createCriClient(first.socketPath);
  return {
    cri,
    folder,
    bridgeName,
    get monitor() {
      return monitor;
    },
    monitorOptions,
    runtimeOptions: options,
    adoptMonitor(process) {
      monitor = process;
    },
    async closeRuntime() {
      await runtime?.close();
      runtime = null;
    },
    async startMonitor() {
      monitor = await spawnMonitor(monitorOptions);
    },
    async restart(between = () => {}) {
      await runtime?.close();
      between();
      runtime = await startRuntime(options);
    },
    async runPod(change = {}) {
      const metadata = { name: `pod${++count}`, namespace: 'default', uid: `uid${count}`, attempt: 0 };
      const config = { metadata, logDirectory: join(folder, 'logs'), ...change };
      return (await cri.runtime.runPodSandbox({ config })).podSandboxId;
    },
    async runScript(podSandboxId, script, change = {}) {
      const name = `container${++count}`;
      const config = {
        metadata: { name, attempt: 0 },
        image: { image: 'box' },
        command: ['sh', '-c', script],
        logPath: `${name}.log`,
        ...change,
      };
      const { containerId } = await cri.runtime.createContainer({ podSandboxId, config });
      await cri.runtime.startContainer({ containerId });
      return containerId;
    },
    async output(containerId, ...cmd) {
      const { stdout, stderr } = await cri.runtime.execSync({
        containerId,
        cmd,
        timeout: commandTimeoutSeconds,
      });
      return Buffer.from(stdout).toString() + Buffer.from(stderr).toString();
    },
    async ended(containerId) {
      for (let tries = 0; tries < 500; tries++) {
        const { status } = await cri.runtime
          .containerStatus({ containerId })
          .catch((error) =>
            isCriError(error, 'UNAVAILABLE') ? { status: undefined } : Promise.reject(error),
          );
        if (status?.state === 2) return status;
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      throw new Error(`container ${containerId} did not end`);
    },
    async buildImage(name, change) {
      const root = await mkdtemp(join(folder, 'tree-'));
      makeTree(root);
      change(root);
      await createImageClient(first.adminSocketPath).build(packTree(root), { name });
    },
    log: (name) => readFileSync(join(folder, 'logs', name), 'utf8'),
    async close() {
      // A test that failed may have left it closed, and its pods need one to go.
      runtime ??= await startRuntime(options);
      for (const { id } of (await cri.runtime.listPodSandbox()).items)
        await cri.runtime.removePodSandbox({ podSandboxId: id });
      cri.close();
      await runtime.close();
      await monitorInside?.close();
      await monitor?.kill();
      clearStage(bridgeName);
      const inside = readMountInfo().filter(({ mountPoint }) => mountPoint.startsWith(`${folder}/`));
      for (const { mountPoint } of inside.reverse()) unmount(mountPoint, { detach: true });
      if (!options.cni) clearNetwork(bridgeName);
      removeGroup(foldersAt(detectCgroups(), `/${bridgeName}`));
      await rm(folder, { recursive: true, force: true });
    },
  };
}

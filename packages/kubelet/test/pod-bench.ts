import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import https from 'node:https';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { ContainerState } from '@wherry/cri';
import type { Pod } from '@wherry/kubeapi';
import { detectCgroups, foldersAt, removeGroup } from '@wherry/linux';
import { silentLogger } from '@wherry/telemetry';
import { type Kubelet, startKubelet } from '../src/index.ts';
import { MemoryRuntime } from './memory-runtime.ts';

/** A kubelet on its own manifest folder, over a runtime in memory, reached by real HTTPS. */
export class PodBench {
  readonly folder: string;
  readonly runtime: MemoryRuntime;
  kubelet: Kubelet | undefined;

  constructor(folder: string, runtime: MemoryRuntime) {
    this.folder = folder;
    this.runtime = runtime;
  }

  async start(configuration: object = {}, runtimeCgroups = ''): Promise<void> {
    this.kubelet = await startKubelet({
      rootDir: join(this.folder, 'root'),
      hostnameOverride: 'n1',
      nodeIp: '192.0.2.1',
      logger: silentLogger,
      runtimeCgroups,
      configuration: {
        address: '127.0.0.1',
        port: 0,
        healthzPort: 0,
        authentication: { anonymous: { enabled: true }, webhook: { enabled: false } },
        authorization: { mode: 'AlwaysAllow' },
        containerRuntimeEndpoint: `unix://${join(this.folder, 'cri.sock')}`,
        staticPodPath: join(this.folder, 'manifests'),
        podLogsDir: join(this.folder, 'logs'),
        cgroupRoot: `/${basename(this.folder)}`,
        resolvConf: '',
        clusterDomain: 'cluster.local',
        failSwapOn: false,
        failCgroupV1: false,
        evictionHard: {},
        ...configuration,
      },
    });
  }

  async manifest(name: string, spec: object): Promise<void> {
    const manifest = { apiVersion: 'v1', kind: 'Pod', metadata: { name }, spec };
    await writeFile(join(this.folder, 'manifests', `${name}.yaml`), JSON.stringify(manifest));
  }

  async withoutManifest(name: string): Promise<void> {
    await rm(join(this.folder, 'manifests', `${name}.yaml`));
  }

  /** Asks the kubelet's API. */
  get(path: string, method = 'GET'): Promise<{ statusCode: number; body: string }> {
    const options = { port: this.kubelet?.port, path, method, rejectUnauthorized: false, agent: false };
    return new Promise((resolve, reject) => {
      const request = https.request(options, async (response) => {
        const chunks: Buffer[] = [];
        for await (const chunk of response) chunks.push(chunk as Buffer);
        resolve({ statusCode: response.statusCode ?? 0, body: Buffer.concat(chunks).toString() });
      });
      request.once('error', reject);
      request.end();
    });
  }

  async pod(name: string): Promise<Pod | undefined> {
    const { items } = JSON.parse((await this.get('/pods')).body) as { items: Pod[] };
    return items.find(({ metadata }) => metadata.name === name);
  }

  /** Waits until `check` gives something, looking often; fails after ten seconds. */
  async until<T>(
    what: string,
    check: () => T | undefined | false | Promise<T | undefined | false>,
  ): Promise<T> {
    for (const end = performance.now() + 10_000; performance.now() < end; ) {
      const found = await check();
      if (found) return found;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    throw new Error(`waited in vain for ${what}; calls: ${this.runtime.calls.join(', ')}`);
  }

  running(name: string) {
    return this.runtime.named(name).find(({ status }) => status.state === ContainerState.CONTAINER_RUNNING);
  }
}

/** Runs a test on such a kubelet, and clears all away. */
export async function withPodBench(
  run: (bench: PodBench) => Promise<void>,
  {
    events = true,
    configuration = {},
    runtimeCgroups = '',
  }: { events?: boolean; configuration?: object; runtimeCgroups?: string } = {},
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'kubelet-'));
  const bench = new PodBench(folder, new MemoryRuntime({ events }));
  try {
    await mkdir(join(folder, 'manifests'));
    await bench.runtime.listen(join(folder, 'cri.sock'));
    await bench.start(configuration, runtimeCgroups);
    await run(bench);
  } finally {
    await bench.kubelet?.close();
    await bench.runtime.close();
    removeGroup(foldersAt(detectCgroups(), `/${basename(folder)}`));
    // A kubelet ends in the middle of what it does for a pod: a step's last file may come now.
    await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }
}

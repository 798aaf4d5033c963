import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type CriClient, createCriClient } from '@wherry/cri';
import { buildContainerd } from '../../../bench/beside-upstream/programs.ts';
import { wherryEntry } from '../../../e2e/node.ts';
import { removeTraces, untilReady } from '../../cri/cri-node.ts';
import { startContainerd } from '../../peers/containerd.ts';
import type { Processes } from '../../peers/joining-node.ts';
import type { JudgedNodeOptions } from './judged-node.ts';

/** What speaks CRI to a kubelet. */
export interface JudgedRuntime {
  /** `unix://…` */
  endpoint: string;
  /** Where its process is found, which is started anew when it was killed; undefined where it is not. */
  pidFile?: string;
  /** Removes every pod, and what else is left. */
  close(): Promise<void>;
}

/** Which runtimes there are, by what `--runtime` takes. */
export const runtimes = {
  /** Ours without a node around it: `wherry monitor` and `wherry runtime`, as a unit of systemd would start them. */
  async wherry({ folder, registryConfig }: JudgedNodeOptions, processes: Processes): Promise<JudgedRuntime> {
    const own = join(folder, 'runtime');
    mkdirSync(own, { recursive: true });
    const [monitorSocket, socketPath] = [join(own, 'monitor.sock'), join(own, 'cri.sock')];
    const bridge = `ws${process.pid}`;
    // Runs beside each other have ranges of their own.
    const podCidr = `10.94.${16 + 2 * (process.pid % 100)}.0/23`;
    const pidFile = join(own, 'runtime.pid');
    const start = (role: string, flags: Readonly<Record<string, string>>) =>
      processes.start(role, process.execPath, [
        ...[wherryEntry, role],
        ...Object.entries(flags).map(([name, value]) => `--${name}=${value}`),
      ]);
    let isClosing = false;
    /** As its unit has it (`Restart=on-failure`): specs kill it. */
    const startAgain = (flags: Readonly<Record<string, string>>) => {
      const child = start('runtime', flags);
      writeFileSync(pidFile, String(child.pid));
      child.once('exit', (_code, signal) => signal === 'SIGKILL' && !isClosing && startAgain(flags));
    };
    start('monitor', { 'data-dir': join(own, 'monitor'), address: monitorSocket });
    startAgain({
      ...{ 'data-dir': join(own, 'data'), address: socketPath, 'monitor-address': monitorSocket },
      ...{ bridge, 'pod-cidr': podCidr, 'cgroup-root': `/${bridge}` },
      'registry-config': registryConfig,
      // As the suites' machines have it.
      'runtime-handler': 'test-handler=runc',
    });
    const client = createCriClient(socketPath);
    await untilReady(client);
    return {
      ...{ endpoint: `unix://${socketPath}`, pidFile },
      async close() {
        await removePods(client);
        client.close();
        isClosing = true;
        await processes.end();
        removeTraces(bridge, own);
      },
    };
  },
  /** Of the version that the benchmarks run, with CNI's bridge and Debian's runc. */
  async containerd({ registryConfig }: JudgedNodeOptions): Promise<JudgedRuntime> {
    const programs = await buildContainerd();
    const { socketPath, close } = await startContainerd({ programs, registryConfig });
    return { endpoint: `unix://${socketPath}`, close };
  },
};

async function removePods(client: CriClient): Promise<void> {
  const { items } = await client.runtime.listPodSandbox();
  for (const { id } of items)
    await client.runtime.removePodSandbox({ podSandboxId: id }).catch(console.error);
}

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createKubeClient, kinds } from '@wherry/client';
import { createCriClient } from '@wherry/cri';
import { podOf, TestNode } from '../node.ts';
import { startCriProxy } from './cri-proxy.ts';
import { type Fault, type FaultProxy, startFaultProxy } from './fault-proxy.ts';

/** The connections that a session runs over, from the user's side on. */
export const hops = ['client to API server', 'API server to kubelet', 'kubelet to streaming server'] as const;

/** One of {@link hops}. */
export type Hop = (typeof hops)[number];

/** A hop that leads through a proxy. */
export interface Detour {
  proxy: FaultProxy;
  /** New connections go straight again; those there are stay. */
  leave(): Promise<void>;
}

/** A kubelet that looks at its node object is the one that puts its port right there: a detour to it would end at any time. */
const undisturbed = `apiVersion: wherry/v1alpha1
kind: Node
kubelet: {nodeStatusUpdateFrequency: 1h}
`;

/** A node whose hops can be broken, one at a time. */
export class FaultyNode {
  readonly node: TestNode;
  readonly #folder: string;
  readonly #kubeconfig: string;
  #streamingPort = 0;
  #detour = 0;
  #closeCri: () => Promise<void> = async () => {};

  private constructor(node: TestNode, folder: string) {
    this.node = node;
    this.#folder = folder;
    this.#kubeconfig = join(folder, 'kubeconfig');
  }

  /** Starts a node with the pods and puts a CRI server in the runtime's place, which can send sessions elsewhere. */
  static async start(name: string, pods: object[]): Promise<FaultyNode> {
    const folder = mkdtempSync(join(tmpdir(), 'wherry-faults-'));
    const config = join(folder, 'node.yaml');
    writeFileSync(config, undisturbed);
    const node = await TestNode.start(name, ['--config', config]).catch((error) => {
      rmSync(folder, { recursive: true, force: true });
      throw error;
    });
    const faulty = new FaultyNode(node, folder);
    try {
      await faulty.node.apply(podOf('target'), ...pods);
      await faulty.#standBeforeRuntime();
    } catch (error) {
      await faulty.remove();
      throw error;
    }
    return faulty;
  }

  /** The kubeconfig to use inside {@link broken}. */
  get kubeconfig(): string {
    return this.#kubeconfig;
  }

  async remove(): Promise<void> {
    await this.#closeCri();
    await this.node.remove();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /** Runs `use` while every connection of a hop suffers `fault`. */
  async broken<T>(hop: Hop, fault: Fault, use: () => Promise<T>): Promise<T> {
    const detour = await this.detour(hop, fault);
    try {
      const result = await use();
      if (fault.kind !== 'none' && detour.proxy.fired === 0)
        throw new Error(`the fault ${fault.kind} never came due`);
      return result;
    } finally {
      await detour.leave();
      await detour.proxy.close();
    }
  }

  /** Sends a hop's new connections through a proxy, until {@link Detour.leave}. */
  async detour(hop: Hop, fault: Fault): Promise<Detour> {
    const { endpoints } = await this.node.status();
    const apiPort = Number(new URL(endpoints.api).port);
    const kubeletPort = Number(new URL(endpoints.kubelet).port);
    const port = { [hops[0]]: apiPort, [hops[1]]: kubeletPort, [hops[2]]: this.#streamingPort }[hop];
    const proxy = await startFaultProxy({ host: '127.0.0.1', port: port ?? 0 }, fault);
    this.#writeKubeconfig(hop === hops[0] ? proxy.port : apiPort);
    if (hop === hops[1]) await this.#nameKubeletPort(proxy.port);
    if (hop === hops[2]) this.#detour = proxy.port;
    const leave = async () => {
      this.#writeKubeconfig(apiPort);
      this.#detour = 0;
      if (hop === hops[1]) await this.#nameKubeletPort(kubeletPort);
    };
    return { proxy, leave };
  }

  #writeKubeconfig(apiPort: number): void {
    const original = readFileSync(this.node.kubeconfig, 'utf8');
    writeFileSync(this.#kubeconfig, original.replace(/server: (https:\/\/.*):\d+/, `server: $1:${apiPort}`));
  }

  async #nameKubeletPort(port: number): Promise<void> {
    const client = createKubeClient({ kubeconfig: this.node.kubeconfig });
    try {
      await client.resource(kinds.nodes).patch({
        ...{ name: this.node.name, subresource: 'status', type: 'merge' },
        patch: { status: { daemonEndpoints: { kubeletEndpoint: { Port: port } } } },
      });
    } finally {
      client.close();
    }
  }

  async #standBeforeRuntime(): Promise<void> {
    const { endpoints } = await this.node.status();
    const socketPath = endpoints.cri.replace(/^unix:\/\//, '');
    const runtimePath = `${socketPath}.real`;
    this.#streamingPort = await streamingPortOf(socketPath);
    await rename(socketPath, runtimePath);
    const cri = await startCriProxy({
      socketPath,
      runtimePath,
      streamingPort: (port) => this.#detour || port,
    });
    this.#closeCri = async () => {
      await cri.close();
      await rename(runtimePath, socketPath);
    };
    process.kill(await this.node.pidOf('kubelet'), 'SIGKILL');
    await this.node.up();
  }
}

async function streamingPortOf(socketPath: string): Promise<number> {
  const client = createCriClient(socketPath);
  try {
    const { containers } = await client.runtime.listContainers();
    const containerId = containers[0]?.id ?? '';
    const { url } = await client.runtime.exec({ containerId, cmd: ['true'], stdout: true });
    return Number(new URL(url).port);
  } finally {
    client.close();
  }
}

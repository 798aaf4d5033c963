import { type KubeObject, kinds, type ResourceType } from '@wherry/client';
import { type Controllers, startOnMachine } from '@wherry/controllers';
import type { Pod } from '@wherry/kubeapi';
import type { ApiserverOptions } from '../../apiserver/src/index.ts';
import { eventually, TestCluster } from './cluster.ts';
import { FakeKubelet } from './fake-kubelet.ts';

/** A cluster with all groups on, the controllers, and a node whose pods run and whose volumes are names. */
export class WorkloadCluster {
  readonly cluster: TestCluster;
  readonly kubelet: FakeKubelet;
  /** The volumes that the node's provisioner has made. */
  readonly folders = new Set<string>();
  readonly #provisioner: Controllers;

  private constructor(cluster: TestCluster, kubelet: FakeKubelet) {
    this.cluster = cluster;
    this.kubelet = kubelet;
    this.#provisioner = startOnMachine({
      client: cluster.client,
      folders: {
        nodeNames: ['node-1'],
        make: async (name) => {
          this.folders.add(name);
          return `/volumes/${name}`;
        },
        remove: async (name) => {
          this.folders.delete(name);
        },
      },
    });
  }

  static async start(options: Partial<ApiserverOptions> = {}): Promise<WorkloadCluster> {
    const cluster = await TestCluster.startServer({ runtimeConfig: { 'api/all': true }, ...options });
    cluster.startControllers();
    try {
      return new WorkloadCluster(cluster, await FakeKubelet.start(cluster.client));
    } catch (error) {
      await cluster.close();
      throw error;
    }
  }

  async close(): Promise<void> {
    await this.kubelet.close();
    await this.#provisioner.close();
    await this.cluster.close();
  }

  create<T extends KubeObject>(type: ResourceType<T>, name: string, more: Partial<T>): Promise<T> {
    return this.cluster.create(type, name, {}, more) as Promise<KubeObject> as Promise<T>;
  }

  /** The object as it is now. Throws when there is none. */
  read<T extends KubeObject>(type: ResourceType<T>, name: string): Promise<T> {
    return this.cluster.client.resource(type).get({ name, namespace: 'default' });
  }

  merge<T extends KubeObject>(type: ResourceType<T>, name: string, patch: object): Promise<T> {
    return this.cluster.client.resource(type).patch({ name, namespace: 'default', type: 'merge', patch });
  }

  /** The object once `holds` of it. */
  async until<T extends KubeObject>(
    type: ResourceType<T>,
    name: string,
    what: string,
    holds: (object: T) => boolean,
  ): Promise<T> {
    let last: T | undefined;
    try {
      await eventually(`${type.kind} ${name} ${what}`, async () => {
        last = await this.read(type, name);
        return holds(last);
      });
    } catch (error) {
      throw new Error(`${(error as Error).message}: ${JSON.stringify(last, null, 1)}`);
    }
    return last!;
  }

  /** What carries that label. */
  async labelled<T extends KubeObject>(type: ResourceType<T>, labelSelector: string): Promise<T[]> {
    const list = await this.cluster.client.resource(type).list({ namespace: 'default', labelSelector });
    return list.items;
  }

  pods(labelSelector: string): Promise<Pod[]> {
    return this.labelled(kinds.pods, labelSelector);
  }

  /** `REASON: message` of all events about an object, in the order of their times. */
  async events(name: string): Promise<string[]> {
    const fieldSelector = `involvedObject.name=${name}`;
    const { items } = await this.cluster.client
      .resource(kinds.events)
      .list({ namespace: 'default', fieldSelector });
    return items
      .sort((a, b) => (a.metadata.name ?? '').localeCompare(b.metadata.name ?? ''))
      .map(({ reason, message }) => `${reason}: ${message}`);
  }
}

import { execFile } from 'node:child_process';
import { createKubeClient, type KubeClient, type KubeObject } from '@wherry/client';
import { type Ended, inProcess } from '../in-process.ts';
import { access } from './objects/access.ts';
import { addAround, custom } from './objects/around.ts';
import { autoscalers } from './objects/autoscalers.ts';
import { cluster } from './objects/cluster.ts';
import type { Described } from './objects/described.ts';
import { network } from './objects/network.ts';
import { pods } from './objects/pods.ts';
import { storage } from './objects/storage.ts';
import { persistentVolumes } from './objects/volumes.ts';
import { workloads } from './objects/workloads.ts';

/** All objects, in an order in which they can be made. */
export const described: readonly Described[] = [
  ...cluster,
  ...access,
  ...storage,
  ...persistentVolumes,
  { object: { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'robot', namespace: 'default' } } },
  ...pods,
  ...workloads,
  ...autoscalers,
  ...network,
];

/** An API server, and the kubeconfig of its administrator. */
export interface DescribedServer {
  kubeconfig: string;
  close(): Promise<void>;
}

/** One API server with rich objects, which kubectl and wherry are asked about. */
export class Beside {
  readonly #server: DescribedServer;
  readonly #kubectl: string;
  readonly #client: KubeClient;

  private constructor(server: DescribedServer, kubectl: string) {
    process.env['KUBECONFIG'] = '/dev/null';
    this.#server = server;
    this.#kubectl = kubectl;
    this.#client = createKubeClient({ kubeconfig: server.kubeconfig });
  }

  /** With the kubectl of this path. */
  static async start(server: DescribedServer, kubectl: string): Promise<Beside> {
    const beside = new Beside(server, kubectl);
    const client = beside.#client;
    try {
      for (const one of described) await beside.#make(one);
      await addAround(client);
      await client.create(custom.definition);
      await client.waitFor('crd/things.example.com', 'Established');
      await client.create(custom.object);
    } catch (error) {
      await beside.close();
      throw error;
    }
    return beside;
  }

  async #make({ object, status, isDeleted }: Described): Promise<void> {
    const client = this.#client;
    const { apiVersion, kind, metadata: { name = '', namespace } = {} } = object;
    const target = { apiVersion, kind, metadata: { name, namespace } } as KubeObject;
    await client.create(object);
    if (status) await client.patch(target, { status }, { subresource: 'status', type: 'merge' });
    if (isDeleted) await client.delete(target);
  }

  /** What a line gives at kubectl, and at wherry. */
  async both(line: string): Promise<{ theirs: Ended; ours: Ended }> {
    const words = ['--kubeconfig', this.#server.kubeconfig, ...line.split(' ')];
    const [theirs, ours] = [await this.#theirs(words), await inProcess(words)];
    return { theirs: steady(theirs), ours: steady(ours) };
  }

  #theirs(words: readonly string[]): Promise<Ended> {
    return new Promise((resolve) => {
      execFile(this.#kubectl, words, { maxBuffer: 1 << 24 }, (error, stdout, stderr) =>
        resolve({ code: error ? Number(error.code ?? 1) : 0, stdout, stderr }),
      );
    });
  }

  async close(): Promise<void> {
    this.#client.close();
    await this.#server.close();
  }
}

/** One is asked a moment after the other; ages of days are the same. */
function steady({ code, stdout, stderr }: Ended): Ended {
  const told = stdout.replace(/(?<=(?<!for) )(\d+m)?\d+s(?=\)?$)/gm, 'AGE');
  return { code, stdout: told, stderr: stderr.replaceAll('kubectl', 'wherry') };
}

/** What names an object in a line. */
export function lineOf({ apiVersion = '', kind = '', metadata }: KubeObject): string {
  const [version = '', group] = apiVersion.split('/').reverse();
  const type = group === undefined ? kind : `${kind}.${version}.${group}`;
  return `${type.toLowerCase()} ${metadata?.name} -n ${metadata?.namespace ?? 'default'}`;
}

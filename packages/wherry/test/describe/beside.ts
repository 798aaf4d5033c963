import { execFile } from 'node:child_process';
import type { KubeObject } from '@wherry/client';
import type { Ended } from '../in-process.ts';
import { Served } from '../verbs/served.ts';
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

/** One API server with rich objects, which kubectl and wherry are asked about. */
export class Beside {
  readonly served: Served;
  readonly #kubectl: string;

  private constructor(served: Served, kubectl: string) {
    this.served = served;
    this.#kubectl = kubectl;
  }

  /** With the kubectl of this path. */
  static async start(kubectl: string): Promise<Beside> {
    const beside = new Beside(await Served.start(), kubectl);
    for (const one of described) await beside.#make(one);
    const { client } = beside.served;
    await addAround(client);
    await client.create(custom.definition);
    await client.waitFor('crd/things.example.com', 'Established');
    await client.create(custom.object);
    return beside;
  }

  async #make({ object, status, isDeleted }: Described): Promise<void> {
    const { client } = this.served;
    const { apiVersion, kind, metadata: { name = '', namespace } = {} } = object;
    const target = { apiVersion, kind, metadata: { name, namespace } } as KubeObject;
    await client.create(object);
    if (status) await client.patch(target, { status }, { subresource: 'status', type: 'merge' });
    if (isDeleted) await client.delete(target);
  }

  /** What a line gives at kubectl, and at wherry. */
  async both(line: string): Promise<{ theirs: Ended; ours: Ended }> {
    const [theirs, ours] = [await this.theirs(line), await this.served.run(line)];
    return { theirs: steady(theirs), ours: steady(ours) };
  }

  theirs(line: string): Promise<Ended> {
    const words = ['--kubeconfig', this.served.server.kubeconfig, ...line.split(' ')];
    return new Promise((resolve) => {
      execFile(this.#kubectl, words, { maxBuffer: 1 << 24 }, (error, stdout, stderr) =>
        resolve({ code: error ? Number(error.code ?? 1) : 0, stdout, stderr }),
      );
    });
  }

  close(): Promise<void> {
    return this.served.close();
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

import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createKubeClient, type KubeClient } from '@wherry/client';
import { TestServer } from '../../../apiserver/test/test-server.ts';
import { type Ended, inProcess } from '../in-process.ts';

/** A real API server without controllers, and command lines that talk to it from inside this process. */
export class Served {
  readonly server: TestServer;
  readonly client: KubeClient;

  private constructor(server: TestServer) {
    this.server = server;
    this.client = createKubeClient({ kubeconfig: server.kubeconfig });
  }

  static async start(): Promise<Served> {
    process.env['KUBECONFIG'] = '/dev/null';
    return new Served(await TestServer.start());
  }

  /** Runs `wherry LINE`; a word in which a space stands is given apart, behind the line. */
  run(line: string, ...more: string[]): Promise<Ended> {
    return inProcess(['--kubeconfig', this.server.kubeconfig, ...line.split(' '), ...more]);
  }

  /** Runs wherry in a process of its own, whose standard input says `input`. */
  spawn(words: readonly string[], input: string): Promise<Ended> {
    const program = new URL('../../src/main.ts', import.meta.url).pathname;
    const line = [program, '--kubeconfig', this.server.kubeconfig, ...words];
    return new Promise((resolve) => {
      const child = execFile(process.execPath, line, (error, stdout, stderr) =>
        resolve({ code: error ? Number(error.code ?? 1) : 0, stdout, stderr }),
      );
      child.stdin?.end(input);
    });
  }

  /** Writes objects into a file and gives back its path. */
  file(name: string, ...objects: object[]): string {
    const path = join(this.server.folder, name);
    writeFileSync(path, objects.map((object) => JSON.stringify(object)).join('\n---\n'));
    return path;
  }

  /** Adds the ConfigMap `one`, which no pod is made of, and the CronJob `tick`, whose pods stand deep within. */
  async addOthers(): Promise<void> {
    await this.client.create({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'one' } });
    const spec = { restartPolicy: 'Never', containers: [{ name: 'tick', image: 'tick:1' }] };
    await this.client.create({
      ...{ apiVersion: 'batch/v1', kind: 'CronJob', metadata: { name: 'tick' } },
      spec: { schedule: '* * * * *', jobTemplate: { spec: { template: { spec } } } },
    });
  }

  /** Adds the custom resource `things` of `example.com/v1`, which holds whatever it is given. */
  async defineThings(): Promise<void> {
    await this.client.create({
      ...{ apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition' },
      metadata: { name: 'things.example.com' },
      spec: {
        ...{ group: 'example.com', scope: 'Namespaced', names: { kind: 'Thing', plural: 'things' } },
        versions: [
          {
            ...{ name: 'v1', served: true, storage: true },
            schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
          },
        ],
      },
    });
    await this.client.waitFor('crd/things.example.com', 'Established');
  }

  async close(): Promise<void> {
    this.client.close();
    await this.server.close();
  }
}

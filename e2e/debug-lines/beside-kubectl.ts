import type { Pod } from '@wherry/kubeapi';
import { Served } from '../../packages/wherry/test/verbs/served.ts';
import { run } from '../command.ts';

const probe = { httpGet: { path: '/', port: 80 } };

/** A pod of all that copies may keep or lose. */
function podOf(name: string, spec: object = {}) {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, labels: { app: name }, annotations: { note: name } },
    spec: {
      nodeName: 'n',
      terminationGracePeriodSeconds: 0,
      initContainers: [{ name: 'first', image: 'first:1' }],
      containers: [
        {
          ...{ name: 'app', image: 'app:1', command: ['serve'], args: ['--all'], stdin: true },
          ...{ livenessProbe: probe, readinessProbe: probe, startupProbe: probe },
          env: [{ name: 'B', value: 'own' }],
          securityContext: { readOnlyRootFilesystem: true, capabilities: { add: ['CHOWN'] } },
        },
        { name: 'side', image: 'side:1' },
      ],
      volumes: [{ name: 'data', emptyDir: {} }],
      ...spec,
    },
  };
}

const suffix = /\b((?:debugger|node-debugger-n|kube-api-access)-)[bcdfghjklmnpqrstvwxz2456789]{5}\b/g;

/** What a command line said and made. */
export interface Outcome {
  code: number | null;
  stdout: string;
  stderr: string;
  pods: object[];
}

/** `debug` of both programs before an API server that runs nothing. */
export class BesideKubectl {
  readonly #served: Served;
  readonly #files: ReadonlyMap<string, string>;
  readonly #program: string;
  /** What 1.36 says and makes beside what older ones do; of 1.36 all is compared. */
  readonly #isOlder: boolean;

  private constructor(served: Served, program: string, minor: number) {
    this.#served = served;
    this.#program = program;
    this.#isOlder = minor < 36;
    this.#files = new Map(Object.entries(contents).map(([name, each]) => [name, served.file(name, each)]));
  }

  /** `program` is a kubectl of this minor version. */
  static async start(program: string, minor: number): Promise<BesideKubectl> {
    const served = await Served.start();
    await served.client.create({ apiVersion: 'v1', kind: 'Node', metadata: { name: 'n' } });
    await served.client.create({ apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default' } });
    return new BesideKubectl(served, program, minor);
  }

  close(): Promise<void> {
    return this.#served.close();
  }

  /** What both make of a line; each begins with the same pods. */
  async both(line: string): Promise<{ theirs: Outcome; ours: Outcome }> {
    const named = line.replace(/@(\w+)/, (_, name: string) => this.#files.get(name) ?? '');
    const { kubeconfig, folder } = this.#served.server;
    await this.#reset();
    const env = { KUBECONFIG: kubeconfig, HOME: folder };
    const theirs = await this.#outcome(await run(this.#program, named.split(' '), { env }));
    await this.#reset();
    return { theirs, ours: await this.#outcome(await this.#served.run(named)) };
  }

  /** `web`, `user`, whose pod has another user, and `looked`, which has an ephemeral container. */
  async #reset(): Promise<void> {
    const { client } = this.#served;
    for (const { metadata } of await client.list<Pod>('Pod').toArray())
      await client.delete(`Pod/${metadata.name}`, { gracePeriodSeconds: 0 });
    await client.create(podOf('web'));
    await client.create(podOf('user', { securityContext: { runAsUser: 7 } }));
    await client.create(podOf('looked'));
    const ephemeralContainers = [{ name: 'earlier', image: 'tools' }];
    const options = { subresource: 'ephemeralcontainers' };
    await client.patch('Pod/looked', { spec: { ephemeralContainers } }, options);
  }

  async #outcome({ code, stdout, stderr }: Omit<Outcome, 'pods'>): Promise<Outcome> {
    const plain = (text: string) => text.replaceAll(suffix, '$1xxxxx').replaceAll('kubectl', 'wherry');
    const said = this.#isOlder ? asOlder(stderr) : stderr;
    return { code, stdout: plain(stdout), stderr: plain(said), pods: await this.#stored() };
  }

  /** Without what no two objects share. */
  async #stored(): Promise<object[]> {
    const items = await this.#served.client.list<Pod>('Pod').toArray();
    const known = items.map(({ metadata: { name, labels, annotations, generation }, spec }) => ({
      ...{ name, annotations, generation, spec },
      labels: this.#isOlder ? withoutManager(labels) : labels,
    }));
    return JSON.parse(JSON.stringify(known).replaceAll(suffix, '$1xxxxx'));
  }
}

const asOlder = (stderr: string) =>
  stderr.replace(/^Warning: Non-root user .*\n/gm, '').replace(/^Error: /, 'error: ');

const withoutManager = (labels: Record<string, string> | undefined) =>
  labels?.['app.kubernetes.io/managed-by'] === 'kubectl-debug' ? undefined : labels;

const limits = {
  env: [{ name: 'A', value: 'theirs' }],
  securityContext: { runAsUser: 0, capabilities: { drop: ['ALL'] } },
  resources: { limits: { memory: '64Mi' } },
  ...{ tty: false, workingDir: null, args: [] },
};

const contents: Record<string, object> = {
  // Of a file whose pod has no security context kubectl panics.
  pod: podOf('web', { securityContext: {} }),
  map: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'm' } },
  // Beside a mount that is there, kubectl takes over that it is read-only.
  custom: { ...limits, volumeMounts: [{ name: 'data', mountPath: '/data' }] },
  limits,
  fixed: { image: 'other' },
};

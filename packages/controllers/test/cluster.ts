import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createKubeClient, KubeClient, type KubeObject, kinds, type ResourceType } from '@wherry/client';
import { type Clock, systemClock } from '@wherry/clock';
import {
  type Controllers,
  type ControllersOptions,
  type Manager,
  startControllers,
} from '@wherry/controllers';
import { findResource, type OwnerReference } from '@wherry/kubeapi';
import { createLogger } from '@wherry/telemetry';
import {
  type Apiserver,
  type ApiserverOptions,
  type RuntimeConfig,
  startApiserver,
} from '../../apiserver/src/index.ts';
import type { Credentials } from '../../apiserver/test/pki.ts';
import { TestServer } from '../../apiserver/test/test-server.ts';
import { definitionsOf } from '../src/definitions.ts';

/** Every wait is so many times shorter, that periods of half a minute take a second. */
const haste = 30;
const hastyClock: Clock = {
  nowMs: () => systemClock.nowMs(),
  monotonicMs: () => systemClock.monotonicMs(),
  after: (delayMs, call) => systemClock.after(delayMs / haste, call),
};

/** Far beyond what a quiet machine needs: a busy one gives a test a twentieth of a core. */
const patienceMs = 120_000;

/** What is told of a new object. */
export interface NewObject {
  owners?: OwnerReference[];
  finalizers?: string[];
  namespace?: string;
}

const managers: readonly Manager[] = ['kube-scheduler', 'kube-controller-manager'];

function clientOf({ folder, apiserver, authority }: TestServer, { cert, key }: Credentials): KubeClient {
  const data = (pem: string) => Buffer.from(pem).toString('base64');
  const document = {
    'current-context': 'test',
    clusters: [
      {
        name: 'test',
        cluster: { server: apiserver.url, 'certificate-authority-data': data(authority.cert) },
      },
    ],
    users: [{ name: 'test', user: { 'client-certificate-data': data(cert), 'client-key-data': data(key) } }],
    contexts: [{ name: 'test', context: { cluster: 'test', user: 'test' } }],
  };
  const kubeconfig = join(folder, `kubeconfig-${crypto.randomUUID()}`);
  writeFileSync(kubeconfig, JSON.stringify(document));
  return createKubeClient({ kubeconfig, connectRetryMs: 5_000 });
}

/** A real API server with the controllers beside it: clients of its HTTPS port, with the rights that they have on a node. */
export class TestCluster {
  readonly server: TestServer;
  readonly #port: number;
  #apiserver: Apiserver;
  client: KubeClient;
  /** Of the users of the managers. */
  readonly managers: Readonly<Record<Manager, KubeClient>>;
  #controllers: Controllers[] = [];
  /** What controllers were told that their accounts may not do. */
  readonly #refusals = new Set<string>();
  readonly #logger = createLogger('controllers', {
    level: 'debug',
    write: (line) => {
      const [refusal] = /User \\"system:serviceaccount:[^"]*\\" cannot .*/.exec(line) ?? [];
      if (refusal !== undefined) this.#refusals.add(refusal);
    },
  });
  /** What the controllers sign with and give to nodes; default: nothing. */
  keys: Pick<ControllersOptions, 'signing' | 'tokenSigningKeyFile' | 'nodeRanges'> = {};

  private constructor(server: TestServer, users: Record<Manager, Credentials>) {
    this.server = server;
    this.managers = {
      'kube-scheduler': clientOf(server, users['kube-scheduler']),
      'kube-controller-manager': clientOf(server, users['kube-controller-manager']),
    };
    this.#apiserver = server.apiserver;
    this.#port = server.apiserver.port;
    this.client = createKubeClient({ kubeconfig: server.kubeconfig, connectRetryMs: 5_000 });
  }

  /** Makes an API server; {@link startControllers} is still to come. */
  static async startServer(options: Partial<ApiserverOptions> = {}): Promise<TestCluster> {
    const server = await TestServer.start(options);
    return new TestCluster(server, {
      'kube-scheduler': await server.authority.issue({ name: 'system:kube-scheduler' }),
      'kube-controller-manager': await server.authority.issue({ name: 'system:kube-controller-manager' }),
    });
  }

  static async start(runtimeConfig: RuntimeConfig = {}): Promise<TestCluster> {
    const cluster = await TestCluster.startServer({ runtimeConfig });
    cluster.startControllers();
    return cluster;
  }

  /** Each as its own account. Without leases: on a hasty clock a busy machine would lose them. */
  startControllers(): void {
    const rootCaPem = this.server.authority.cert;
    this.#controllers = managers.map((manager) =>
      startControllers({
        ...{ rootCaPem, clock: hastyClock, logger: this.#logger, ...this.keys },
        client: this.managers[manager],
        accountClient: (access) => new KubeClient({ access }),
        controllers: definitionsOf[manager].map(({ name }) => name),
      }),
    );
  }

  async stopControllers(): Promise<void> {
    await Promise.all(this.#controllers.map((each) => each.close()));
  }

  /** Ends the API server and starts it on the same data and port with other groups on. */
  async serve(runtimeConfig: RuntimeConfig): Promise<void> {
    await this.#apiserver.close();
    this.#apiserver = await startApiserver({
      ...this.server.options,
      securePort: this.#port,
      runtimeConfig,
    });
    this.server.apiserver = this.#apiserver;
  }

  async close(): Promise<void> {
    await this.stopControllers();
    for (const client of [this.client, ...Object.values(this.managers)]) client.close();
    await this.server.close();
    assert.deepEqual([...this.#refusals], []);
  }

  async create(
    type: ResourceType,
    name: string,
    options: NewObject = {},
    more: object = {},
  ): Promise<KubeObject> {
    const { owners, finalizers, namespace = 'default' } = options;
    const metadata = {
      name,
      ...(type.namespaced ? { namespace } : {}),
      ...(owners ? { ownerReferences: owners } : {}),
      ...(finalizers ? { finalizers } : {}),
    };
    const apiVersion = type.group === '' ? type.version : `${type.group}/${type.version}`;
    return this.client
      .resource(type)
      .create({ apiVersion, kind: type.kind, metadata, ...more } as KubeObject);
  }

  /** The object as it is now; undefined when there is none. */
  async read(type: ResourceType, name: string, namespace = 'default'): Promise<KubeObject | undefined> {
    try {
      return await this.client.resource(type).get({ name, ...(type.namespaced ? { namespace } : {}) });
    } catch {
      return undefined;
    }
  }

  async gone(type: ResourceType, name: string, namespace = 'default'): Promise<void> {
    await eventually(`${type.plural} ${name} is gone`, async () => !(await this.read(type, name, namespace)));
  }

  /** Resolves when the collector has looked at everything that was there before. */
  async settled(): Promise<void> {
    for (let round = 0; round < 3; round++) {
      const name = `witness-${crypto.randomUUID()}`;
      const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'never', uid: crypto.randomUUID() };
      await this.create(kinds.configMaps, name, { owners: [owner] });
      await this.gone(kinds.configMaps, name);
    }
  }
}

/** A reference to an object as its dependents carry it. */
export function ownedBy(owner: KubeObject, more: Partial<OwnerReference> = {}): OwnerReference {
  const { apiVersion = '', kind = '', metadata } = owner;
  return { apiVersion, kind, name: metadata?.name ?? '', uid: metadata?.uid ?? '', ...more };
}

/** A resource by its place in the schema. */
export function typeOf(group: string, version: string, plural: string): ResourceType {
  return findResource(group, version, plural)!;
}

/** Waits until `look` finds something true, and gives it back; throws with `what` when that takes too long. */
export async function eventually<T>(
  what: string,
  look: () => Promise<T | false | '' | undefined>,
): Promise<T> {
  const deadlineMs = performance.now() + patienceMs;
  for (;;) {
    const found = await look();
    if (found) return found;
    if (performance.now() > deadlineMs) throw new Error(`waited in vain: ${what}`);
    await delay(20);
  }
}

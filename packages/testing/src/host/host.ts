import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import { join } from 'node:path';
import { chrootRefusal, identifyProcess, isInChroot, rightsRefusal } from '@wherry/linux';
import type { RunningNode } from '@wherry/node/in-process/node';
import { createLogger } from '@wherry/telemetry';
import { TestingError } from '../errors.ts';
import { ownerFile } from './folder.ts';
import type { CallName, Calls, ImageParameters, Started } from './protocol.ts';
import { Snapshots } from './snapshots.ts';

/** A cluster of this host, and how it goes without leaving anything. */
interface Cluster {
  part: Pick<RunningNode, 'store' | 'close'>;
  snapshots: Snapshots;
  /** The image socket of each node. */
  imageSockets: string[];
  remove(): Promise<void>;
}

type Takers = {
  [Name in CallName]: (parameters: Calls[Name][0], signal: AbortSignal) => Promise<Calls[Name][1]>;
};

const logger = (component: string) => createLogger(component, { level: 'warn' });

/** Every API server and node of one test process. What is needed for one kind of them is loaded with the first. */
export class Host {
  readonly #folder: string;
  readonly #clusters = new Map<string, Cluster>();
  readonly #starting = new Set<Promise<unknown>>();
  #count = 0;
  #sweeping: Promise<void> | undefined;
  #isNodePossible = false;

  constructor(folder: string) {
    this.#folder = folder;
    writeFileSync(join(folder, ownerFile), JSON.stringify(identifyProcess(process.pid)), { mode: 0o600 });
  }

  /** Answers a call. Throws what a test should be told. */
  async take(call: CallName, parameters: unknown, signal: AbortSignal): Promise<unknown> {
    const take = this.#takers[call] as (parameters: unknown, signal: AbortSignal) => Promise<unknown>;
    const answering = take(parameters, signal);
    this.#starting.add(answering);
    try {
      return await answering;
    } finally {
      this.#starting.delete(answering);
      // Behind the first answer, so that nobody waits for what others left.
      void this.#sweep().catch((error: unknown) => logger('host').warn('leftovers stay', { error }));
    }
  }

  /** Ends and removes everything. */
  async close(): Promise<void> {
    await Promise.allSettled(this.#starting);
    await Promise.allSettled([...this.#clusters.keys()].map((cluster) => this.#takers.stop({ cluster })));
    if (this.#clusters.size === 0) rmSync(this.#folder, { recursive: true, force: true });
  }

  readonly #takers = {
    startNode: async ({ name, nodes: count, runtimeConfig, apiserverFlags, readyTimeoutMs }, signal) => {
      this.#checkMachine();
      const cluster = this.#nextName('node');
      const { layoutOf, memberLayout, stopNode } = await import('@wherry/node');
      const { runNode } = await import('@wherry/node/in-process/node');
      const layout = layoutOf(join(this.#folder, cluster));
      const remove = () => stopNode(layout, { purge: true });
      const first = name ?? this.#nodeName(cluster);
      const members = Array.from({ length: count - 1 }, (_, index) => `${first}-${index + 2}`);
      const options = { name: first, members, runtimeConfig, apiserverFlags, readyTimeoutMs, signal };
      const part = await runNode(layout, { ...options, logger: logger(cluster) }).catch(
        async (error: unknown) => {
          await remove();
          throw error;
        },
      );
      const { kubeconfig } = layout;
      const nodes = [part.record.name, ...members];
      const layouts = [layout, ...members.map((member) => memberLayout(layout, member))];
      const imageSockets = layouts.map(({ imageSocket }) => imageSocket);
      return this.#keep({ cluster, kubeconfig, nodes }, { part, imageSockets, remove }, signal);
    },

    startApiServer: async ({ controllers, runtimeConfig, apiserverFlags }, signal) => {
      const cluster = this.#nextName('api');
      const { runApiServer } = await import('@wherry/node/in-process/api-server');
      const folder = join(this.#folder, cluster);
      const remove = async () => rmSync(folder, { recursive: true, force: true });
      mkdirSync(folder, { mode: 0o700 });
      const part = await runApiServer({
        ...{ folder, name: cluster, controllers, runtimeConfig, apiserverFlags, logger: logger(cluster) },
      }).catch(async (error: unknown) => {
        await remove();
        throw error;
      });
      const { kubeconfig } = part;
      return this.#keep({ cluster, kubeconfig, nodes: [] }, { part, imageSockets: [], remove }, signal);
    },

    stop: async ({ cluster }: { cluster: string }) => {
      const found = this.#clusters.get(cluster);
      await found?.part.close();
      await found?.remove();
      this.#clusters.delete(cluster);
      return null;
    },

    load: async ({ cluster, image }: { cluster: string; image: ImageParameters }, signal) => {
      const { imageSockets } = this.#find(cluster);
      if (imageSockets.length === 0)
        throw new Error('an API server alone has no images; startNode gives a node');
      const { loadImage } = await import('./images.ts');
      const loaded = await Promise.all(imageSockets.map((socket) => loadImage(socket, image, signal)));
      return { names: loaded[0]! };
    },

    snapshot: ({ cluster }) => this.#find(cluster).snapshots.take(),
    restore: ({ cluster, snapshot }) => this.#find(cluster).snapshots.restore(snapshot),
    sweep: async () => {
      await this.#sweep();
      return null;
    },
  } satisfies Takers;

  /** Throws where a node can't be: in a container without root's rights, or in a chroot. */
  #checkMachine(): void {
    if (this.#isNodePossible) return;
    const refusal = rightsRefusal();
    if (refusal) throw new TestingError('needs-root', `${refusal}, or use startApiServer`);
    if (isInChroot()) throw new Error(chrootRefusal);
    this.#isNodePossible = true;
  }

  #nextName(kind: string): string {
    this.#count += 1;
    return `${kind}-${this.#count}`;
  }

  /** Unlike that of any other node of the machine: the host's folder is. */
  #nodeName(cluster: string): string {
    return `${cluster}-${this.#folder.slice(-6).toLowerCase()}`.replace(/[^a-z0-9-]/g, '0');
  }

  /** Takes a cluster on, unless nobody waits for it any more. */
  async #keep(started: Started, kept: Omit<Cluster, 'snapshots'>, signal: AbortSignal): Promise<Started> {
    const snapshots = new Snapshots(kept.part.store, started.nodes);
    this.#clusters.set(started.cluster, { ...kept, snapshots });
    if (signal.aborted) {
      await this.#takers.stop({ cluster: started.cluster });
      throw signal.reason;
    }
    flushCompileCache();
    return started;
  }

  #find(cluster: string): Cluster {
    const found = this.#clusters.get(cluster);
    if (!found) throw new Error(`${cluster} is closed`);
    return found;
  }

  #sweep(): Promise<void> {
    this.#sweeping ??= import('./leftovers.ts').then(({ clearLeftovers }) => clearLeftovers(this.#folder));
    return this.#sweeping;
  }
}

import { type KubeClient, kinds } from '@wherry/client';
import { deadline } from '@wherry/clock';
import type { UnseenHop } from '@wherry/telemetry/session-paths';
import type { KubeFlags } from '../kube/flags.ts';
import { limits } from '../limits.ts';
import { apiSource } from './api-source.ts';
import { findLocalStreamingServers, type LocalStreamingServers } from './local-nodes.ts';
import { monitorSource } from './monitor-source.ts';
import { reasonOf } from './reason.ts';
import type { SessionSource } from './source.ts';

/** Who can be asked for the sessions of a cluster, and who can't. */
export interface Hops {
  sources: SessionSource[];
  unseen: UnseenHop[];
}

/** Finds the hops of a cluster's sessions, or of one node's. */
export class HopFinder {
  readonly #client: KubeClient;
  readonly #node: string | undefined;
  readonly #local: LocalStreamingServers;
  readonly #known = new Map<string, SessionSource>();

  private constructor(client: KubeClient, node: string | undefined, local: LocalStreamingServers) {
    this.#client = client;
    this.#node = node;
    this.#local = local;
  }

  static async open(
    client: KubeClient,
    flags: Pick<KubeFlags, 'dataDir' | 'kubeconfig'> & { node?: string },
  ): Promise<HopFinder> {
    return new HopFinder(client, flags.node, await findLocalStreamingServers(client.access, flags));
  }

  /** The hops that there are now; one that is known already is the same object again. */
  async find(signal: AbortSignal): Promise<Hops> {
    const unseen: UnseenHop[] = [];
    const names = this.#node === undefined ? await this.#nodeNames(unseen, signal) : [this.#node];
    const { servers, reason } = this.#local;
    const local = servers.filter(({ node }) => this.#node === undefined || this.#node === node);
    const sources = [
      this.#once('apiserver', () => apiSource(this.#client)),
      ...names.map((name) => this.#once(`kubelet ${name}`, () => apiSource(this.#client, name))),
      ...local.map((server) => this.#once(`streaming ${server.node}`, () => monitorSource(server))),
    ];
    const isLocal = (name: string) => local.some(({ node }) => node === name);
    for (const node of names) if (!isLocal(node)) unseen.push({ hop: 'streaming-server', node, reason });
    return { sources, unseen };
  }

  #once(key: string, make: () => SessionSource): SessionSource {
    const known = this.#known.get(key) ?? make();
    this.#known.set(key, known);
    return known;
  }

  async #nodeNames(unseen: UnseenHop[], signal: AbortSignal): Promise<string[]> {
    try {
      using limit = deadline({
        ...{ clock: this.#client.clock, timeoutMs: limits.sessionHopTimeoutMs, signal },
        what: 'the list of nodes',
      });
      const { items } = await this.#client.metadata(kinds.nodes).listAll({ signal: limit.signal });
      return items.flatMap(({ metadata }) => metadata?.name ?? []).slice(0, limits.sessionNodesMax);
    } catch (error) {
      signal.throwIfAborted();
      unseen.push({ hop: 'kubelet', reason: `nodes can't be listed: ${reasonOf(error)}` });
      return [];
    }
  }
}

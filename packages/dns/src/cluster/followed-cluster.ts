import type { InformerHandlers } from '@wherry/client';
import type { Clock } from '@wherry/clock';
import type { EndpointSlice, Namespace, Pod, Service } from '@wherry/kubeapi/objects';
import { ClusterIndex } from './cluster-index.ts';
import { PodSearches } from './pod-searches.ts';

/** Objects that somebody keeps a copy of: an `Informer` of the client is one. */
export interface Followed<T> {
  readonly hasSynced: boolean;
  /** Tells of all that is there, and of what changes from now on. Returns how to stop. */
  on(listener: InformerHandlers<T>): () => void;
}

/** What a cluster's DNS follows. Whoever started the informers closes them. */
export interface DnsInformers {
  namespaces: Followed<Namespace>;
  services: Followed<Service>;
  slices: Followed<EndpointSlice>;
  /** Those that ask: the node's own. */
  pods: Followed<Pod>;
}

/** The index of a cluster that is followed. */
export class FollowedCluster {
  readonly index = new ClusterIndex();
  readonly pods = new PodSearches();
  /** Resolves once {@link isComplete}. */
  readonly complete: Promise<void>;
  readonly #informers: DnsInformers;
  readonly #unfollow: readonly (() => void)[];
  #changedAtMs: number;

  constructor(informers: DnsInformers, clock: Clock) {
    this.#informers = informers;
    this.#changedAtMs = clock.nowMs();
    const changed = () => {
      this.#changedAtMs = clock.nowMs();
    };
    const { promise, resolve } = Promise.withResolvers<void>();
    this.complete = promise;
    const synced = () => {
      if (this.isComplete) resolve();
    };
    const any = { added: changed, updated: changed, deleted: changed };
    const { namespaces, services, slices, pods } = informers;
    this.#unfollow = [
      namespaces.on(this.index.namespaces),
      services.on(this.index.services),
      slices.on(this.index.slices),
      pods.on(this.pods.pods),
      services.on(any),
      slices.on(any),
      ...[namespaces, services, slices].map((each) => (each as Followed<object>).on({ synced })),
    ];
  }

  /** Whether the index has all that the cluster has. */
  get isComplete(): boolean {
    const { namespaces, services, slices } = this.#informers;
    return namespaces.hasSynced && services.hasSynced && slices.hasSynced;
  }

  /** Seconds since the epoch, at the last change. */
  readonly serial = (): number => Math.floor(this.#changedAtMs / 1000);

  close(): void {
    for (const stop of this.#unfollow) stop();
  }
}

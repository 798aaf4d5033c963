import { type KubeClient, kinds } from '@wherry/client';
import { type Clock, sleep } from '@wherry/clock';
import { type Lease, microTimeFromMs, type Node, StatusError } from '@wherry/kubeapi';
import type { Logger } from '@wherry/telemetry';
import { leaseRenewTriesMax } from '../../limits.ts';

/** What the lease is kept with. */
export interface NodeLeaseOptions {
  client: KubeClient;
  clock: Clock;
  logger: Logger;
  nodeName: string;
  durationSeconds: number;
  node(): Node | undefined;
}

const leaseNamespace = 'kube-node-lease';

/** Renews the node's Lease four times per its duration: the sign of life that node controllers watch. */
export class NodeLease {
  readonly #options: NodeLeaseOptions;
  readonly #abort = new AbortController();
  #lease: Lease | undefined;

  constructor(options: NodeLeaseOptions) {
    this.#options = options;
  }

  start(): void {
    void this.#run();
  }

  close(): void {
    this.#abort.abort(new Error('the kubelet is stopping'));
  }

  async #run(): Promise<void> {
    const { clock, durationSeconds } = this.#options;
    const { signal } = this.#abort;
    while (!signal.aborted) {
      await this.#renew();
      const delayMs = durationSeconds * 250 * (1 + 0.04 * Math.random());
      await sleep({ clock, delayMs, signal }).catch(() => {});
    }
  }

  async #renew(): Promise<void> {
    for (let attempt = 0; attempt < leaseRenewTriesMax && !this.#abort.signal.aborted; attempt += 1) {
      try {
        this.#lease = this.#lease ? await this.#update(this.#lease) : await this.#createOrAdopt();
        return;
      } catch (error) {
        if (error instanceof StatusError && (error.code === 404 || error.code === 409))
          this.#lease = undefined;
        else if (attempt === leaseRenewTriesMax - 1)
          this.#options.logger.warn('the node lease was not renewed', { error });
      }
    }
  }

  #update(lease: Lease): Promise<Lease> {
    const { client, clock } = this.#options;
    const spec = { ...lease.spec, ...this.#spec(), renewTime: microTimeFromMs(clock.nowMs()) };
    const metadata = { ...lease.metadata, ...this.#owner() };
    return client.resource(kinds.leases).update({ ...lease, metadata, spec }, { signal: this.#abort.signal });
  }

  async #createOrAdopt(): Promise<Lease> {
    const { client, clock, nodeName } = this.#options;
    const leases = client.resource(kinds.leases);
    const { signal } = this.#abort;
    try {
      return await this.#update(await leases.get({ name: nodeName, namespace: leaseNamespace, signal }));
    } catch (error) {
      if (!(error instanceof StatusError && error.code === 404)) throw error;
    }
    return leases.create(
      {
        apiVersion: 'coordination.k8s.io/v1',
        kind: 'Lease',
        metadata: { name: nodeName, namespace: leaseNamespace, ...this.#owner() },
        spec: { ...this.#spec(), renewTime: microTimeFromMs(clock.nowMs()) },
      },
      { signal },
    );
  }

  #spec() {
    const { nodeName, durationSeconds } = this.#options;
    return { holderIdentity: nodeName, leaseDurationSeconds: durationSeconds };
  }

  #owner(): Pick<Lease['metadata'], 'ownerReferences'> {
    const uid = this.#options.node()?.metadata.uid;
    if (!uid) return {};
    return { ownerReferences: [{ apiVersion: 'v1', kind: 'Node', name: this.#options.nodeName, uid }] };
  }
}

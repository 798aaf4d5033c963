import { onAbort } from '@wherry/bytes';
import { Informer, type KubeClient, kinds } from '@wherry/client';
import type { Clock, Timer } from '@wherry/clock';
import type { CSIDriver } from '@wherry/kubeapi';
import type { Logger } from '@wherry/telemetry';
import { csiCallMs, csiReportMsMax } from '../../limits.ts';
import { asked, type CsiDrivers, type CsiNodeService } from '../volumes/csi/csi-drivers.ts';
import type { CsiNodeObject } from './csi-node-object.ts';
import { driverNode } from './driver-node.ts';

/** What drivers are asked and told of with. */
export interface CsiDriverReportsOptions {
  drivers: CsiDrivers;
  /** Undefined for a kubelet without an API server. */
  cluster: { client: KubeClient; object: Pick<CsiNodeObject, 'begin' | 'install' | 'uninstall'> } | undefined;
  clock: Clock;
  logger: Logger;
}

interface Followed {
  informer: Informer<CSIDriver>;
  /** 0 where the driver's object names no time. */
  periodMs: number;
  timer: Timer | undefined;
}

/**
 * Tells the cluster what CSI drivers say of this node: when one registers, and again as often as its object wants the count of
 * volumes looked at (upstream: pkg/volume/csi/csi_node_updater.go).
 */
export class CsiDriverReports {
  readonly #options: CsiDriverReportsOptions;
  readonly #followed = new Map<string, Followed>();
  readonly #abort = new AbortController();

  constructor(options: CsiDriverReportsOptions) {
    this.#options = options;
  }

  /** Ends with `signal`. */
  async begin(signal: AbortSignal): Promise<void> {
    onAbort(signal, (reason) => this.#close(reason));
    await this.#options.cluster?.object.begin(signal);
  }

  /** Asks what says it is the driver, and tells of it. Throws what either says. */
  async tell(name: string, node: CsiNodeService, signal: AbortSignal): Promise<void> {
    const info = await asked(() => node.nodeGetInfo({}, { signal, timeoutMs: csiCallMs }));
    await this.#options.cluster?.object.install(driverNode(name, info), signal);
  }

  /** As {@link tell}; what fails is left to the next time. */
  async retell(name: string): Promise<void> {
    const { signal } = this.#abort;
    const told = async () => this.tell(name, this.#options.drivers.node(name), signal);
    await told().catch((error: unknown) => {
      if (signal.aborted) return;
      this.#options.logger.warn('how many volumes the node can have is not told anew', {
        driver: name,
        error,
      });
    });
  }

  /** From now on the driver is asked as often as its object says. */
  follow(name: string): void {
    const { cluster, clock } = this.#options;
    if (!cluster || this.#followed.has(name)) return;
    const told = ({ spec }: CSIDriver) => this.#pace(name, spec.nodeAllocatableUpdatePeriodSeconds);
    const informer = new Informer({
      resource: cluster.client.resource(kinds.csiDrivers),
      fieldSelector: `metadata.name=${name}`,
      clock,
      handlers: { added: told, updated: told, deleted: () => this.#pace(name, undefined) },
    });
    this.#followed.set(name, { informer, periodMs: 0, timer: undefined });
    informer.start();
  }

  /** The driver is gone: nothing is told of it any more. */
  async withdraw(name: string, signal: AbortSignal): Promise<void> {
    this.#leave(name);
    await this.#options.cluster?.object.uninstall(name, signal);
  }

  #close(reason: unknown): void {
    this.#abort.abort(reason);
    for (const name of [...this.#followed.keys()]) this.#leave(name);
  }

  #pace(name: string, seconds: number | undefined): void {
    const followed = this.#followed.get(name);
    const periodMs = Math.min(csiReportMsMax, (seconds ?? 0) * 1_000);
    if (!followed || followed.periodMs === periodMs) return;
    followed.timer?.cancel();
    followed.periodMs = periodMs;
    if (periodMs > 0) this.#askLater(name, followed);
  }

  #askLater(name: string, followed: Followed): void {
    followed.timer = this.#options.clock.after(followed.periodMs, () => {
      this.#askLater(name, followed);
      void this.retell(name);
    });
  }

  #leave(name: string): void {
    const followed = this.#followed.get(name);
    this.#followed.delete(name);
    followed?.timer?.cancel();
    void followed?.informer.close();
  }
}

import { Informer, type KubeClient, kinds } from '@wherry/client';
import type { Clock } from '@wherry/clock';
import type { Pod } from '@wherry/kubeapi';
import { podAnnotations } from '@wherry/podrules';
import type { Logger } from '@wherry/telemetry';
import { type AssignedPod, assignedPod, isMirrorPod } from '../../pod/assigned-pod.ts';
import type { StartTimes } from '../../reporting/status/start-times.ts';
import type { StatusManager } from '../../reporting/status/status-manager.ts';
import { isUpdate, type PodSource, type PodSourceHandlers, withSource } from './pod-changes.ts';

/** What the source is made of. */
export interface ApiSourceOptions {
  client: KubeClient;
  clock: Clock;
  logger: Logger;
  nodeName: string;
  handlers: PodSourceHandlers;
  /** Hears of every version of a pod before {@link handlers}, mirrors included. */
  starts: Pick<StartTimes, 'seen' | 'forget'>;
  /** Hears of each list after {@link handlers}. */
  statuses: Pick<StatusManager, 'listed'>;
}

/** The pods that the API server has bound to this node. */
export class ApiSource implements PodSource {
  readonly #options: ApiSourceOptions;
  readonly #informer: Informer<Pod>;
  readonly #seen = new Map<string, string>();
  #arrivals: AssignedPod[] | undefined = [];

  constructor(options: ApiSourceOptions) {
    this.#options = options;
    const { client, clock, logger, nodeName } = options;
    this.#informer = new Informer<Pod>({
      resource: client.resource(kinds.pods),
      fieldSelector: `spec.nodeName=${nodeName}`,
      clock,
      handlers: {
        added: (pod) => this.#decode(pod, (decoded) => this.#added(decoded)),
        updated: (pod, previous) => this.#decode(pod, (after) => this.#updated(after, previous)),
        deleted: (pod) => this.#decode(pod, (decoded) => this.#removed(decoded)),
        synced: () => this.#listed(),
        failed: (error) => logger.warn('watching the pods of this node failed', { error }),
      },
    });
  }

  start(): void {
    this.#informer.start();
  }

  async close(): Promise<void> {
    await this.#informer.close();
  }

  #decode(pod: Pod, use: (pod: AssignedPod) => void): void {
    try {
      const decoded = assignedPod(pod);
      use(isMirrorPod(decoded) ? decoded : withSource(decoded, 'api', this.#seenAt(decoded)));
    } catch (error) {
      this.#options.logger.error('the API server sent a pod that can not be run', { error });
    }
  }

  #seenAt(pod: AssignedPod): string {
    const { uid, annotations } = pod.metadata;
    const known = this.#seen.get(uid) ?? annotations?.[podAnnotations.seen];
    const seen = known ?? new Date(this.#options.clock.nowMs()).toISOString();
    this.#seen.set(uid, seen);
    return seen;
  }

  #added(pod: AssignedPod): void {
    this.#options.starts.seen(pod);
    if (this.#arrivals) this.#arrivals.push(pod);
    else this.#options.handlers.added(pod);
  }

  #listed(): void {
    const { handlers, statuses } = this.#options;
    if (this.#arrivals) {
      this.#deliverArrivals(this.#arrivals);
      handlers.ready();
    }
    statuses.listed();
  }

  /** The pods of the first list, the oldest first. */
  #deliverArrivals(arrivals: AssignedPod[]): void {
    this.#arrivals = undefined;
    const age = ({ metadata }: AssignedPod) => metadata.creationTimestamp ?? '';
    arrivals.sort((a, b) => (age(a) < age(b) ? -1 : 1));
    for (const pod of arrivals) this.#options.handlers.added(pod);
  }

  #updated(pod: AssignedPod, previous: Pod): void {
    const { handlers, starts } = this.#options;
    starts.seen(pod);
    if (isUpdate(previous as AssignedPod, pod)) handlers.updated(pod);
    else handlers.reconciled(pod);
  }

  #removed(pod: AssignedPod): void {
    this.#seen.delete(pod.metadata.uid);
    this.#options.starts.forget(pod.metadata.uid);
    this.#options.handlers.removed(pod);
  }
}

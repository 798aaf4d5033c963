import type { QueueObserver } from '@wherry/client';
import type { Clock } from '@wherry/clock';
import type { Counter, Gauge, Histogram, MetricsRegistry } from '@wherry/telemetry';

/** Upper bounds in seconds, as client-go has them. */
const secondsBounds = Array.from({ length: 10 }, (_, exponent) => 10 ** (exponent - 8));

interface Known {
  /** When each key that waits was added, and when the turn of each began that is worked on. */
  waiting: Map<string, number>;
  active: Map<string, number>;
}

/** Counts and times queues of work by their names (client-go: util/workqueue). */
export class QueueFigures {
  readonly #clock: Clock;
  readonly #queues = new Map<string, Known>();
  readonly #adds: Counter;
  readonly #retries: Counter;
  readonly #waited: Histogram;
  readonly #worked: Histogram;
  readonly #depth: Gauge;
  readonly #unfinished: Gauge;
  readonly #longest: Gauge;

  constructor(metrics: MetricsRegistry, clock: Clock) {
    this.#clock = clock;
    // The first to be shown measures for all.
    this.#depth = metrics.gauge('workqueue_depth', 'Keys that wait for their turn.', () => this.#measure());
    this.#adds = metrics.counter('workqueue_adds_total', 'Keys that were added.');
    this.#retries = metrics.counter('workqueue_retries_total', 'Keys that failed and are tried again.');
    this.#waited = metrics.histogram(
      'workqueue_queue_duration_seconds',
      'Time that keys waited for their turn.',
      secondsBounds,
    );
    this.#worked = metrics.histogram(
      'workqueue_work_duration_seconds',
      'Time that turns took.',
      secondsBounds,
    );
    this.#unfinished = metrics.gauge(
      'workqueue_unfinished_work_seconds',
      'Time that all turns have taken that are not over.',
    );
    this.#longest = metrics.gauge(
      'workqueue_longest_running_processor_seconds',
      'Time that the longest turn has taken that is not over.',
    );
  }

  /** The queue of a controller, by upstream's name for either. */
  of(controller: string): QueueObserver {
    const name = queueNames.get(controller) ?? controller;
    const { waiting, active } = this.#known(name);
    const labels = { name };
    const [adds, retries] = [this.#adds.series(labels), this.#retries.series(labels)];
    const [waited, worked] = [this.#waited.series(labels), this.#worked.series(labels)];
    const seconds = (sinceMs: number) => (this.#clock.monotonicMs() - sinceMs) / 1000;
    return {
      added: (key) => {
        adds.add(1);
        waiting.set(key, this.#clock.monotonicMs());
      },
      began: (key) => {
        const addedMs = waiting.get(key);
        if (addedMs !== undefined) waited.observe(seconds(addedMs));
        waiting.delete(key);
        active.set(key, this.#clock.monotonicMs());
      },
      ended: (key) => {
        const beganMs = active.get(key);
        if (beganMs !== undefined) worked.observe(seconds(beganMs));
        active.delete(key);
      },
      retried: () => retries.add(1),
      closed: () => waiting.clear(),
    };
  }

  #known(name: string): Known {
    const known = this.#queues.get(name) ?? { waiting: new Map(), active: new Map() };
    this.#queues.set(name, known);
    return known;
  }

  #measure(): void {
    const nowMs = this.#clock.monotonicMs();
    for (const [name, { waiting, active }] of this.#queues) {
      const running = [...active.values()].map((beganMs) => (nowMs - beganMs) / 1000);
      this.#depth.set(waiting.size, { name });
      this.#unfinished.set(
        running.reduce((sum, each) => sum + each, 0),
        { name },
      );
      this.#longest.set(Math.max(0, ...running), { name });
    }
  }
}

/** How upstream calls the queues of its controllers, where one stands for each; others go by the controller's name. */
const queueNames: ReadonlyMap<string, string> = new Map([
  ['namespace-controller', 'namespace'],
  ['serviceaccount-controller', 'serviceaccount'],
  ['serviceaccount-token-controller', 'serviceaccount_tokens_service'],
  ['root-ca-certificate-publisher-controller', 'root_ca_cert_publisher'],
  ['garbage-collector-controller', 'garbage_collector_attempt_to_delete'],
  ['pod-garbage-collector-controller', 'orphaned_pods_nodes'],
  ['replicaset-controller', 'replicaset'],
  ['replicationcontroller-controller', 'replicationmanager'],
  ['deployment-controller', 'deployment'],
  ['statefulset-controller', 'statefulset'],
  ['daemonset-controller', 'daemonset'],
  ['job-controller', 'job'],
  ['cronjob-controller', 'cronjob'],
  ['ttl-after-finished-controller', 'ttl_jobs_to_delete'],
  ['endpoints-controller', 'endpoint'],
  ['endpointslice-controller', 'endpoint_slice'],
  ['endpointslice-mirroring-controller', 'endpoint_slice_mirroring'],
  ['disruption-controller', 'disruption'],
  ['horizontal-pod-autoscaler-controller', 'horizontalpodautoscaler'],
  ['resourcequota-controller', 'resourcequota_primary'],
  ['persistentvolume-binder-controller', 'claims'],
  ['persistentvolume-attach-detach-controller', 'pvcs'],
  ['persistentvolume-expander-controller', 'volume_expand'],
  ['persistentvolumeclaim-protection-controller', 'pvcprotection'],
  ['persistentvolume-protection-controller', 'pvprotection'],
  ['volumeattributesclass-protection-controller', 'vacprotection'],
  ['ephemeral-volume-controller', 'ephemeral_volume'],
  ['resourceclaim-controller', 'resource_claim'],
  ['bootstrap-signer-controller', 'bootstrap_signer_queue'],
  ['token-cleaner-controller', 'token_cleaner'],
  ['clusterrole-aggregation-controller', 'ClusterRoleAggregator'],
  ['service-cidr-controller', 'ipaddresses'],
  ['node-lifecycle-controller', 'node_lifecycle_controller'],
]);

import type { Clock } from '@wherry/clock';
import type { Volume } from '@wherry/kubeapi';
import { isTerminalPhase } from '@wherry/podrules';
import type { Gauge, Histogram, MetricsRegistry } from '@wherry/telemetry';
import { type AssignedPod, isHostNetwork } from '../../pod/assigned-pod.ts';

/** Upstream's bounds of what starting a pod takes, in seconds. */
export const startBuckets = [
  ...[0.5, 1, 2, 3, 4, 5, 6, 8, 10, 20, 30, 45, 60, 120, 180, 240, 300, 360, 480, 600, 900, 1_200],
  ...[1_800, 2_700, 3_600],
];

/** A span of time, in milliseconds of the wall clock. */
interface Span {
  fromMs: number;
  toMs: number;
}

interface Start {
  pulls: Span[];
  /** How long each init container that has ended ran, by its id. */
  initMs: Map<string, number>;
  /** The API server took that every container runs. */
  isTold: boolean;
  /** When it showed that. */
  seenMs: number | undefined;
}

/**
 * How long pods take from their creation until the API server shows every container of theirs as running: all of it, and without
 * pulls and init containers (upstream: pkg/kubelet/util/pod_startup_latency_tracker.go). A pod that ran before this kubelet, or
 * could not be scheduled once, is left out.
 */
export class StartTimes {
  readonly #clock: Clock;
  readonly #total: Histogram;
  readonly #own: Histogram;
  readonly #firstInNetwork: Gauge;
  readonly #starting = new Map<string, Start>();
  readonly #leftOut = new Set<string>();
  #hasFirst = false;

  constructor({ clock, metrics }: { clock: Clock; metrics: MetricsRegistry }) {
    this.#clock = clock;
    this.#total = metrics.histogram(
      'kubelet_pod_start_total_duration_seconds',
      'Seconds from the creation of a pod until all of it was seen to run.',
      startBuckets,
    );
    this.#own = metrics.histogram(
      'kubelet_pod_start_sli_duration_seconds',
      'Seconds from the creation of a pod without state until all of it was seen to run, without pulls and init containers.',
      startBuckets,
    );
    this.#firstInNetwork = metrics.plainGauge(
      'kubelet_first_network_pod_start_sli_duration_seconds',
      'The same of the first pod that has a network of its own.',
    );
  }

  /** The API server shows the pod so. */
  seen(pod: AssignedPod): void {
    const { uid } = pod.metadata;
    const start = this.#starting.get(uid);
    if (isTerminalPhase(pod.status?.phase)) this.#starting.delete(uid);
    else if (isUnschedulable(pod)) this.#leaveOut(uid, pod);
    else if (!start) this.#begin(uid, pod);
    else if (runsAll(pod)) {
      start.seenMs ??= this.#clock.nowMs();
      this.#end(pod, start);
    }
  }

  /** The pod waits for an image; call the answer when it is there, or will not come. */
  pulls(uid: string): () => void {
    const start = this.#starting.get(uid);
    const fromMs = this.#clock.nowMs();
    return () => start?.pulls.push({ fromMs, toMs: this.#clock.nowMs() });
  }

  /** An init container has ended; may be repeated. */
  initEnded(uid: string, containerId: string, ranMs: number): void {
    this.#starting.get(uid)?.initMs.set(containerId, Math.max(0, ranMs));
  }

  /** Whether the pod is being measured. */
  follows(uid: string): boolean {
    return this.#starting.has(uid);
  }

  /** The API server took this status of the pod. */
  told(pod: AssignedPod): void {
    const start = this.#starting.get(pod.metadata.uid);
    if (!start || !runsAll(pod)) return;
    start.isTold = true;
    this.#end(pod, start);
  }

  forget(uid: string): void {
    this.#starting.delete(uid);
    this.#leftOut.delete(uid);
  }

  #begin(uid: string, { status }: AssignedPod): void {
    if (status?.startTime || this.#leftOut.has(uid)) return;
    this.#starting.set(uid, { pulls: [], initMs: new Map(), isTold: false, seenMs: undefined });
  }

  #leaveOut(uid: string, { status }: AssignedPod): void {
    if (this.#starting.delete(uid) || !status?.startTime) this.#leftOut.add(uid);
  }

  /** What the API server shows may come before its answer. */
  #end(pod: AssignedPod, { pulls, initMs, isTold, seenMs }: Start): void {
    if (!isTold || seenMs === undefined) return;
    const { metadata, spec } = pod;
    this.#starting.delete(metadata.uid);
    this.#leftOut.add(metadata.uid);
    const totalMs = seenMs - Date.parse(metadata.creationTimestamp ?? '');
    if (Number.isNaN(totalMs)) return;
    this.#total.observe(totalMs / 1_000);
    if ((spec.volumes ?? []).some(hasState)) return;
    const initsMs = [...initMs.values()].reduce((sum, ms) => sum + ms, 0);
    const ownSeconds = (totalMs - coveredMs(pulls) - initsMs) / 1_000;
    this.#own.observe(ownSeconds);
    if (this.#hasFirst || isHostNetwork(pod)) return;
    this.#hasFirst = true;
    this.#firstInNetwork.set(ownSeconds);
  }
}

function isUnschedulable({ status }: AssignedPod): boolean {
  return !!status?.conditions?.some(({ type, status: is }) => type === 'PodScheduled' && is === 'False');
}

function runsAll({ status }: AssignedPod): boolean {
  return !!status?.containerStatuses?.every(({ state }) => state?.running?.startedAt);
}

const stateless = ['secret', 'configMap', 'downwardAPI', 'emptyDir', 'projected'] as const;

function hasState(volume: Volume): boolean {
  return !stateless.some((source) => Object.hasOwn(volume, source));
}

/** How long at least one of them lasted. */
function coveredMs(spans: readonly Span[]): number {
  let [coveredMs, untilMs] = [0, Number.NEGATIVE_INFINITY];
  for (const { fromMs, toMs } of spans.toSorted((a, b) => a.fromMs - b.fromMs)) {
    coveredMs += Math.max(0, toMs - Math.max(fromMs, untilMs));
    untilMs = Math.max(untilMs, toMs);
  }
  return coveredMs;
}

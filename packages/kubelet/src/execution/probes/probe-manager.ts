import type { Clock } from '@wherry/clock';
import type { ContainerStatus, CriClient } from '@wherry/cri';
import type { Container, PodStatus, Probe } from '@wherry/kubeapi';
import { isSidecar } from '@wherry/podrules';
import { millisecondsOf, newestContainer, type PodRecord } from '../../observation/pod-record.ts';
import { type AssignedPod, isHostNetwork } from '../../pod/assigned-pod.ts';
import { containersOf, type PodContainer } from '../../pod/containers.ts';
import { type EventRecorder, podEvents } from '../../reporting/events/recorder.ts';
import { isConditionTrue } from '../../reporting/status/pod-condition.ts';
import type { ProbedContainer } from '../../reporting/status/probed-status.ts';
import type { ProbeVerdicts, Verdict } from '../plan/probe-verdicts.ts';
import { ProbeCounts, type ProbeRun } from './probe-counts.ts';
import { ProbeError, type ProbeOutcome } from './probe-outcome.ts';
import { type ProbeKind, ProbeWorker } from './probe-worker.ts';
import { runProbe } from './run-probe.ts';

/** What the manager is made of. */
export interface ProbeManagerOptions {
  runtime: CriClient['runtime'];
  clock: Clock;
  recorder: EventRecorder;
  hostIp(): string;
  record(uid: string): PodRecord | undefined;
  /** The pod's status at the API server; of a static pod, that of its mirror. */
  apiStatus(pod: AssignedPod): PodStatus | undefined;
  /** A verdict that its status tells of has changed. */
  onTold(uid: string, probed: ProbedContainer): void;
  /** A verdict changed: the pod is to be looked at. */
  onChanged(uid: string): void;
}

const kinds: ProbeKind[] = ['liveness', 'readiness', 'startup'];
const firstVerdicts: Record<ProbeKind, Verdict> = {
  liveness: 'success',
  readiness: 'failure',
  startup: 'unknown',
};
const kindNames: Record<ProbeKind, string> = {
  liveness: 'Liveness',
  readiness: 'Readiness',
  startup: 'Startup',
};

/** Containers that ran this long before the kubelet started keep the readiness they had. */
const adoptedAgeMs = 10_000;

/** Runs the probes of every pod and keeps their verdicts by container ID. */
export class ProbeManager implements ProbeVerdicts {
  readonly counts = new ProbeCounts();
  readonly #options: ProbeManagerOptions;
  readonly #startedMs: number;
  readonly #workers = new Map<string, Map<string, ProbeWorker>>();
  readonly #verdicts: Record<ProbeKind, Map<string, Verdict>> = {
    liveness: new Map(),
    readiness: new Map(),
    startup: new Map(),
  };

  constructor(options: ProbeManagerOptions) {
    this.#options = options;
    this.#startedMs = options.clock.nowMs();
  }

  liveness(containerId: string): Verdict {
    return this.#verdicts.liveness.get(containerId);
  }

  startup(containerId: string): Verdict {
    return this.#verdicts.startup.get(containerId);
  }

  /** Starts the workers of a pod's probes that do not run yet. */
  add(pod: AssignedPod): void {
    const { uid } = pod.metadata;
    if (pod.metadata.deletionTimestamp) return;
    for (const target of containersOf(pod)) {
      if (target.kind === 'ephemeral' || (target.kind === 'init' && !isSidecar(target.container))) continue;
      for (const kind of kinds) {
        const probe = target.container[`${kind}Probe`];
        const workers = this.#workers.get(uid) ?? new Map<string, ProbeWorker>();
        const key = `${kind}/${target.container.name}`;
        if (!probe || workers.has(key)) continue;
        this.#workers.set(uid, workers);
        const worker = this.#worker(pod, target, kind, probe);
        workers.set(key, worker);
        worker.start(this.#firstDelayMs(probe));
      }
    }
  }

  /**
   * Stops the liveness and startup probes of a pod's regular containers: it is on its way out, and restarts help no more. Sidecars
   * serve these containers to the end, and are probed as long (upstream: StopLivenessAndStartup).
   */
  stopRestarts({ metadata: { uid }, spec }: AssignedPod): void {
    const workers = this.#workers.get(uid);
    for (const { name } of spec.containers)
      for (const kind of ['liveness', 'startup']) workers?.get(`${kind}/${name}`)?.stop();
  }

  /** Stops every probe of a pod, and forgets what they said. */
  remove(uid: string): void {
    for (const worker of this.#workers.get(uid)?.values() ?? []) {
      worker.stop();
      this.#verdicts[worker.kind].delete(worker.containerId);
    }
    this.#workers.delete(uid);
    this.counts.forget(uid);
  }

  close(): void {
    for (const uid of [...this.#workers.keys()]) this.remove(uid);
  }

  /** Whether a running container passed its startup probe. */
  isStarted(pod: AssignedPod, container: Container, containerId: string): boolean {
    if (!container.startupProbe) return true;
    const verdict = this.#verdicts.startup.get(containerId);
    if (verdict !== undefined && verdict !== 'unknown') return verdict === 'success';
    if (this.#before(pod, container, containerId)?.started) return true;
    this.#trigger(pod.metadata.uid, 'startup', container.name);
    return false;
  }

  /** Whether a started container is ready. One found without a verdict is asked at once. */
  isReady(pod: AssignedPod, container: Container, containerId: string): boolean {
    if (!container.readinessProbe) return true;
    const verdict = this.#verdicts.readiness.get(containerId);
    if (verdict === 'success') return true;
    const wasReady = isConditionTrue(this.#options.apiStatus(pod), 'Ready');
    const before = verdict === undefined ? this.#before(pod, container, containerId) : undefined;
    if (before?.ready && wasReady) return true;
    this.#trigger(pod.metadata.uid, 'readiness', container.name);
    return false;
  }

  /** The container's status as an earlier kubelet left it, if that kubelet knew it. */
  #before(pod: AssignedPod, container: Container, containerId: string) {
    const status = this.#container(pod.metadata.uid, container.name);
    if (!status || millisecondsOf(status.startedAt) > this.#startedMs - adoptedAgeMs) return undefined;
    const known = this.#options.apiStatus(pod);
    const all = [...(known?.containerStatuses ?? []), ...(known?.initContainerStatuses ?? [])];
    return all.find(({ containerID }) => containerID?.endsWith(containerId));
  }

  #container(uid: string, name: string): ContainerStatus | undefined {
    const record = this.#options.record(uid);
    return record && newestContainer(record, name);
  }

  #firstDelayMs({ periodSeconds = 10 }: Probe): number {
    const sinceStartMs = this.#options.clock.nowMs() - this.#startedMs;
    return sinceStartMs < periodSeconds * 1_000 ? Math.random() * Math.min(periodSeconds, 1) * 1_000 : 0;
  }

  #worker(pod: AssignedPod, target: PodContainer, kind: ProbeKind, probe: Probe): ProbeWorker {
    const { clock } = this.#options;
    const { uid } = pod.metadata;
    const { container } = target;
    return new ProbeWorker({
      kind,
      probe,
      clock,
      container: () => this.#container(uid, container.name),
      isStarted: (containerId) => this.isStarted(pod, container, containerId),
      run: (containerId) => this.#run(pod, target, kind, containerId),
      onTrouble: (outcome) => this.#tell(pod, target, kind, outcome),
      onNewContainer: (containerId, before) => {
        this.#verdicts[kind].delete(before);
        this.#begin(pod, target, kind, containerId);
      },
      onVerdict: (containerId, verdict) => this.#note(uid, target, kind, containerId, verdict),
    });
  }

  /** Runs a probe once and counts how that went. */
  async #run(
    pod: AssignedPod,
    { container }: PodContainer,
    kind: ProbeKind,
    containerId: string,
  ): Promise<ProbeOutcome> {
    const { runtime, clock, hostIp, record } = this.#options;
    const { uid, name, namespace } = pod.metadata;
    const podIp = isHostNetwork(pod) ? hostIp() : (record(uid)?.sandboxes[0]?.network?.ip ?? '');
    const probe = container[`${kind}Probe`] ?? {};
    const startedMs = clock.monotonicMs();
    let result: ProbeRun['result'] = 'unknown';
    try {
      const outcome = await runProbe(probe, { runtime, container, containerId, podIp, clock });
      result = outcome.result === 'failure' ? 'failed' : 'successful';
      return outcome;
    } finally {
      const how = { type: kindNames[kind], result, tookMs: clock.monotonicMs() - startedMs };
      this.counts.add(uid, { ...how, container: container.name, pod: name, namespace });
    }
  }

  #tell(
    pod: AssignedPod,
    target: PodContainer,
    kind: ProbeKind,
    outcome: { output?: string; result?: string } | Error,
  ) {
    const events = podEvents(this.#options.recorder, pod);
    const name = kindNames[kind];
    if (outcome instanceof Error) {
      const state = outcome instanceof ProbeError ? outcome.state : 'unknown';
      const message = `${name} probe errored and resulted in ${state} state: ${outcome.message}`;
      events.warn('Unhealthy', message, target);
    } else if (outcome.result === 'warning')
      events.warn('ProbeWarning', `${name} probe warning: ${outcome.output}`, target);
    else events.warn('Unhealthy', `${name} probe failed: ${outcome.output}`, target);
  }

  #note(uid: string, target: PodContainer, kind: ProbeKind, containerId: string, verdict: Verdict): void {
    if (this.#verdicts[kind].get(containerId) === verdict) return;
    this.#verdicts[kind].set(containerId, verdict);
    const holds = verdict === 'success';
    if (kind === 'readiness') this.#options.onTold(uid, { containerId, part: { ready: holds } });
    if (kind === 'startup') this.#options.onTold(uid, { containerId, part: { started: holds } });
    if (kind === 'startup' && verdict === 'success') this.#trigger(uid, 'readiness', target.container.name);
    this.#options.onChanged(uid);
  }

  /** A container without a verdict: one that an earlier kubelet knew keeps what that kubelet said of it. */
  #begin(pod: AssignedPod, target: PodContainer, kind: ProbeKind, containerId: string): void {
    const before = this.#before(pod, target.container, containerId);
    if (!before) this.#verdicts[kind].set(containerId, firstVerdicts[kind]);
    // A sidecar's start is what others wait for.
    else if (kind === 'startup' && before.started)
      this.#note(pod.metadata.uid, target, kind, containerId, 'success');
  }

  #trigger(uid: string, kind: ProbeKind, name: string): void {
    this.#workers.get(uid)?.get(`${kind}/${name}`)?.trigger();
  }
}

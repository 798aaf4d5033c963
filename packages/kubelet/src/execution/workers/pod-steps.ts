import { mkdir } from 'node:fs/promises';
import { type Clock, deadline } from '@wherry/clock';
import {
  ContainerState,
  type CriClient,
  type Input,
  type PodSandboxConfig,
  type UserNamespace,
} from '@wherry/cri';
import { isSidecar, isTerminalPhase } from '@wherry/podrules';
import type { Logger, Tracer } from '@wherry/telemetry';
import type { AllocationStore, Allocations } from '../../board/allocations.ts';
import type { ResizeStates } from '../../board/resize-states.ts';
import type { NodePaths } from '../../ground/node-paths.ts';
import { networkNotReadyRetryMs, syncErrorRetryMs, volumeWaitMs } from '../../limits.ts';
import { makeLogFolder } from '../../logs/log-folder.ts';
import type { PodCache } from '../../observation/pod-cache.ts';
import {
  containerNameOf,
  liveContainers,
  millisecondsOf,
  type PodRecord,
  unendedContainers,
} from '../../observation/pod-record.ts';
import { type AssignedPod, describePod, isHostNetwork, isStaticPod } from '../../pod/assigned-pod.ts';
import { resizeMessage } from '../../pod/resize-message.ts';
import { type EventRecorder, nodeEvents, podEvents } from '../../reporting/events/recorder.ts';
import type { MirrorPods } from '../../reporting/mirror-pods.ts';
import type { RuntimeHealth } from '../../reporting/node/runtime-health.ts';
import { type PodVerdict, podStatus, withoutEnd } from '../../reporting/status/pod-status.ts';
import type { StartTimes } from '../../reporting/status/start-times.ts';
import type { StatusManager } from '../../reporting/status/status-manager.ts';
import { isRestartingWhole } from '../../reporting/status/whole-restart.ts';
import type { PodCgroups } from '../cgroups/pod-cgroups.ts';
import type { ResourceContext } from '../cgroups/resources.ts';
import type { Claims } from '../claims/assemble.ts';
import type { DeviceManager } from '../devices/device-manager.ts';
import type { PodInputs } from '../inputs/pod-inputs.ts';
import { computePodActions } from '../plan/compute-pod-actions.ts';
import { changesAnything, isIdle, type PodActions } from '../plan/pod-actions.ts';
import { isResizing } from '../plan/resize-actions.ts';
import type { ProbeManager } from '../probes/probe-manager.ts';
import { type DnsContext, podDns } from '../sandbox/dns.ts';
import type { RuntimeClasses } from '../sandbox/runtime-classes.ts';
import { sandboxConfig } from '../sandbox/sandbox-config.ts';
import type { UserRanges } from '../sandbox/user-ranges.ts';
import { NoRoomError, type VolumeManager } from '../volumes/volume-manager.ts';
import type { PodKiller } from './pod-killer.ts';
import type { PodStarter } from './pod-starter.ts';
import type { PodSteps, SyncOutcome, TerminateRequest } from './pod-worker.ts';
import type { WaitingReasons } from './waiting-reasons.ts';

/** What the steps are made of. */
export interface PodStepsOptions {
  runtime: CriClient['runtime'];
  clock: Clock;
  logger: Logger;
  tracer: Tracer;
  recorder: EventRecorder;
  cache: PodCache;
  statuses: StatusManager;
  starts: Pick<StartTimes, 'follows' | 'initEnded'>;
  probes: ProbeManager;
  volumes: VolumeManager;
  cgroups: PodCgroups;
  starter: PodStarter;
  killer: PodKiller;
  reasons: WaitingReasons;
  paths: NodePaths;
  dns: DnsContext;
  resources: ResourceContext;
  syncMs: number;
  hostIps(): readonly string[];
  health: RuntimeHealth;
  inputs: PodInputs;
  allocations: Allocations;
  resizes: ResizeStates;
  /** What pods were made with. */
  actuated: AllocationStore;
  classes: RuntimeClasses;
  userRanges: UserRanges;
  /** Undefined for a kubelet without an API server. */
  mirrors: MirrorPods | undefined;
  devices: Pick<DeviceManager, 'statusesOf'>;
  claims: Pick<Claims, 'manager' | 'views'>;
}

const notReadyText = 'network is not ready';

/** The three steps of every pod: bring it up and keep it so, stop it, clear what is left. Read it from top to bottom. */
export class KubeletPodSteps implements PodSteps {
  readonly #options: PodStepsOptions;

  constructor(options: PodStepsOptions) {
    this.#options = options;
  }

  async sync(asked: AssignedPod, signal: AbortSignal): Promise<SyncOutcome> {
    const { cache, statuses, probes, clock, allocations, actuated } = this.#options;
    const { uid } = asked.metadata;
    probes.add(asked);
    await allocations.written();
    const record = await this.#record(asked, signal);
    this.#noteInits(asked, record);
    // What it asks for by now may not be granted yet.
    const pod = allocations.given(asked);
    this.#followResize(pod, record);
    // A kubelet that has just started knows when the pod began from its status alone.
    const { startTime } = statuses.get(uid) ?? pod.status ?? {};
    const verdict = deadlineVerdict(pod, startTime, clock.nowMs());
    const status = this.#publish(pod, record, { isTerminating: false, verdict });
    if (verdict) podEvents(this.#options.recorder, pod).normal(verdict.reason, verdict.message);
    if (isTerminalPhase(status.phase)) return { isTerminal: true, verdict, didWork: false, retryAfterMs: 0 };
    this.#requireNetwork(pod);
    if (isStaticPod(pod)) this.#options.mirrors?.reconcile(pod);
    const actions = computePodActions(pod, record, probes, actuated.of(uid), {
      isRestartingWhole: isRestartingWhole(status),
    });
    const retryAfterMs = this.#nextLookMs(pod, status.startTime);
    if (isIdle(actions)) {
      await this.#options.volumes.mount(pod, signal);
      return { isTerminal: false, didWork: false, retryAfterMs };
    }
    const outcome = await this.#act(pod, record, actions, signal).finally(() => cache.touch(uid));
    if (outcome.resizeError) this.#resizeFailed(pod, outcome.resizeError);
    if (outcome.errors.length === 0)
      return { isTerminal: false, didWork: changesAnything(actions, record), retryAfterMs };
    const noRoom = outcome.errors.map(({ cause }) => cause).find((cause) => cause instanceof NoRoomError);
    if (noRoom) return this.#reject(pod, noRoom);
    this.#publish(pod, await this.#record(pod, signal), { isTerminating: false });
    // What is held back waits for minutes; the pod's deadline and its tokens do not.
    const againMs = Math.min(
      outcome.retryAfterMs ?? this.#errorRetryMs(),
      this.#nextLookMs(pod, status.startTime),
    );
    return { isTerminal: false, didWork: false, retryAfterMs: againMs };
  }

  /** What init containers took is no part of the pod's own start; sidecars run on. */
  #noteInits({ metadata: { uid }, spec }: AssignedPod, record: PodRecord): void {
    const { starts } = this.#options;
    const inits = (spec.initContainers ?? []).filter((container) => !isSidecar(container));
    if (inits.length === 0 || !starts.follows(uid)) return;
    const names = new Set(inits.map(({ name }) => name));
    for (const status of record.containers) {
      const { id, state, startedAt, finishedAt } = status;
      if (state === ContainerState.CONTAINER_EXITED && names.has(containerNameOf(status)))
        starts.initEnded(uid, id, millisecondsOf(finishedAt - startedAt));
    }
  }

  async terminate(pod: AssignedPod, request: TerminateRequest, signal: AbortSignal): Promise<void> {
    const { cache, probes, killer } = this.#options;
    const { uid } = pod.metadata;
    const { graceSeconds, verdict, isOrphan } = request;
    const record = await this.#record(pod, signal);
    probes.stopRestarts(pod);
    if (!isOrphan) this.#publish(pod, record, { isTerminating: false, verdict });
    try {
      await killer.kill({ pod, record, graceSeconds, signal });
    } catch (error) {
      if (!signal.aborted) {
        podEvents(this.#options.recorder, pod).warn(
          'FailedKillPod',
          `error killing pod: ${(error as Error).message}`,
        );
      }
      throw error;
    } finally {
      cache.touch(uid);
    }
    const after = await this.#record(pod, signal);
    const live = liveContainers(after);
    if (live.length > 0)
      throw new Error(
        `detected running containers after a successful stop: ${live.map(({ id }) => id).join(', ')}`,
      );
    probes.remove(uid);
    // Before its end is told: then others may be given the devices.
    await this.#options.claims.manager.unprepare(uid, signal);
    if (!isOrphan) this.#publish(pod, after, { isTerminating: true, verdict });
  }

  async clear(pod: AssignedPod, { isOrphan, verdict }: TerminateRequest, signal: AbortSignal): Promise<void> {
    const { volumes, cgroups, inputs, cache, userRanges } = this.#options;
    const { uid } = pod.metadata;
    if (!isOrphan) this.#publish(pod, await this.#record(pod, signal), { isTerminating: true, verdict });
    userRanges.release(uid);
    await volumes.remove(uid);
    await cgroups.remove(pod);
    inputs.release(uid);
    if (isOrphan) cache.forget(uid);
  }

  /** The pod can't have its volumes here, and has to make place for one that is made elsewhere. */
  #reject(pod: AssignedPod, { message }: NoRoomError): SyncOutcome {
    const reason = 'VolumeAttachmentLimitExceeded';
    podEvents(this.#options.recorder, pod).warn(reason, message);
    const verdict = { phase: 'Failed' as const, reason, message: `Pod was rejected: ${message}` };
    return { isTerminal: true, verdict, didWork: false, retryAfterMs: 0 };
  }

  async #record(pod: AssignedPod, signal: AbortSignal): Promise<PodRecord> {
    const { cache, recorder } = this.#options;
    try {
      return await cache.get(pod.metadata.uid, signal);
    } catch (error) {
      if (!signal.aborted) {
        podEvents(recorder, pod).warn('FailedSync', `error determining status: ${(error as Error).message}`);
      }
      throw error;
    }
  }

  #publish(
    pod: AssignedPod,
    record: PodRecord,
    facts: { isTerminating: boolean; verdict?: PodVerdict | undefined },
  ) {
    const {
      statuses,
      reasons,
      probes,
      hostIps,
      clock,
      health,
      resizes,
      allocations,
      actuated,
      devices,
      claims,
    } = this.#options;
    const { uid } = pod.metadata;
    if (facts.isTerminating) resizes.forget(uid);
    // As long as the pod was not stopped, the start of one that was only made may be under way, its answer lost.
    const mayBeRunning = (facts.isTerminating ? liveContainers : unendedContainers)(record).length > 0;
    const { verdict } = facts;
    const previous = statuses.get(uid) ?? pod.status;
    const status = podStatus({
      pod: allocations.given(pod),
      record,
      deviceStatuses: (container) => [
        ...devices.statusesOf(uid, container.name),
        ...claims.views.statusesOf(pod, container),
      ],
      resizes: resizes.conditionsOf(uid),
      actuated: actuated.of(uid)?.pod,
      previous,
      runtimeName: health.view.name,
      supportsRecursiveReadOnly: health.supportsRecursiveReadOnly,
      hostIps: hostIps(),
      nowMs: clock.nowMs(),
      waitingReason: (name) => reasons.get(uid, name),
      isStarted: (container, id) => probes.isStarted(pod, container, id),
      isReady: (container, id) => probes.isReady(pod, container, id),
      ...facts,
      verdict: verdict && { ...verdict, isDisruption: verdict.isDisruption === true && !mayBeRunning },
    });
    const isTooEarly = isTerminalPhase(status.phase) && !isTerminalPhase(previous?.phase) && mayBeRunning;
    statuses.set(pod, isTooEarly ? withoutEnd(status, previous) : status);
    return status;
  }

  /** Shows the new sandbox's addresses while images are still being pulled. */
  #publishSandbox(pod: AssignedPod, signal: AbortSignal): void {
    const { cache, logger } = this.#options;
    cache.get(pod.metadata.uid, signal).then(
      (record) => {
        if (!signal.aborted) this.#publish(pod, record, { isTerminating: false });
      },
      (error: unknown) =>
        logger.debug('a new sandbox could not be looked at', { pod: describePod(pod), error }),
    );
  }

  /** Whether what was granted is in force: is told by a condition, and its end by an event. */
  #followResize(pod: AssignedPod, record: PodRecord): void {
    const { resizes, actuated, recorder } = this.#options;
    const { uid, generation } = pod.metadata;
    if (isResizing(pod, record, actuated.of(uid))) {
      resizes.begin(uid, generation);
      return;
    }
    const completed = resizes.complete(uid);
    if (!completed) return;
    podEvents(recorder, pod).normal('ResizeCompleted', resizeMessage(pod, 'completed', completed));
  }

  #resizeFailed(pod: AssignedPod, { message }: Error): void {
    const { resizes, recorder } = this.#options;
    const news = resizes.fail(pod.metadata.uid, message, pod.metadata.generation);
    if (news) {
      const text = resizeMessage(pod, 'error', { ...news, error: message });
      podEvents(recorder, pod).warn('ResizeError', text);
    }
  }

  #requireNetwork(pod: AssignedPod): void {
    const problem = this.#options.health.networkProblem;
    if (!problem || isHostNetwork(pod)) return;
    const message = `${notReadyText}: ${problem}`;
    podEvents(this.#options.recorder, pod).warn('NetworkNotReady', message);
    throw Object.assign(new Error(message), { retryAfterMs: networkNotReadyRetryMs });
  }

  async #act(pod: AssignedPod, record: PodRecord, actions: PodActions, signal: AbortSignal) {
    const { starter, volumes, cgroups, paths, inputs, clock, actuated, tracer } = this.#options;
    const { uid } = pod.metadata;
    if (actions.createSandbox) actuated.setPod(uid, pod.spec.resources);
    await mkdir(paths.podDir(uid), { recursive: true, mode: 0o750 });
    makeLogFolder(paths.podLogsDir, paths.podLogDir(pod));
    const users = await this.#users(pod);
    const wait = deadline({ clock, timeoutMs: volumeWaitMs, signal, what: 'volumes and pull secrets' });
    const mounted = tracer.within('mount volumes', {}, () => volumes.mount(pod, wait.signal));
    const ready = Promise.all([mounted, this.#ensureGroup(pod)]).then(([inPlace]) => inPlace);
    const secrets = inputs.credentials(pod, wait.signal);
    // A pass may end before them: what they wait for has its end all the same.
    void Promise.allSettled([ready, secrets]).then(wait.cleanup);
    return starter.run({
      pod,
      record,
      actions,
      sandbox: this.#sandbox(pod, actions, { cgroupParent: cgroups.parentOf(pod), users }),
      volumes: ready,
      credentials: secrets,
      onSandbox: (waits) => {
        this.#options.cache.touch(uid);
        if (waits) this.#publishSandbox(pod, signal);
      },
      graceSeconds: pod.spec.terminationGracePeriodSeconds ?? 30,
      signal,
    });
  }

  async #ensureGroup(pod: AssignedPod): Promise<void> {
    const { cgroups, recorder } = this.#options;
    try {
      await cgroups.ensure(pod);
    } catch (error) {
      const message = `unable to ensure pod container exists: ${(error as Error).message}`;
      podEvents(recorder, pod).warn('FailedCreatePodContainer', message);
      throw error;
    }
  }

  /** Whose users the pod's processes are. */
  async #users(pod: AssignedPod): Promise<Input<UserNamespace>> {
    const { classes, userRanges, recorder } = this.#options;
    try {
      await classes.requireUserNamespaces(pod);
      return userRanges.usersOf(pod);
    } catch (error) {
      throw sandboxRefused(pod, error, recorder);
    }
  }

  #sandbox(
    pod: AssignedPod,
    { attempt, createSandbox: isNew }: PodActions,
    place: { cgroupParent: string; users: Input<UserNamespace> },
  ): Input<PodSandboxConfig> {
    const { dns, paths, resources, recorder } = this.#options;
    const { config, notes } = podDns(pod, dns);
    if (isNew)
      for (const { reason, message, isOfNode } of notes) {
        const events = isOfNode ? nodeEvents(recorder, pod.spec.nodeName ?? '') : podEvents(recorder, pod);
        events.warn(reason, message);
      }
    try {
      return sandboxConfig(pod, {
        attempt,
        dns: config,
        clusterDomain: dns.clusterDomain,
        ...place,
        paths,
        resources,
      });
    } catch (error) {
      throw sandboxRefused(pod, error, recorder);
    }
  }

  #nextLookMs(pod: AssignedPod, startTime: string | undefined): number {
    const { syncMs, clock, inputs } = this.#options;
    const regularMs = syncMs * (1 + 0.5 * Math.random());
    return Math.min(
      regularMs,
      deadlineInMs(pod, startTime, clock.nowMs()),
      inputs.tokenDueInMs(pod.metadata.uid) ?? regularMs,
    );
  }

  #errorRetryMs(): number {
    return syncErrorRetryMs * (1 + 0.5 * Math.random());
  }
}

/** Tells of a sandbox that can't be asked for, as of one that could not be made, and gives the error back. */
function sandboxRefused(pod: AssignedPod, error: unknown, recorder: EventRecorder): unknown {
  const message = `Failed to create pod sandbox: ${(error as Error).message}`;
  podEvents(recorder, pod).warn('FailedCreatePodSandBox', message);
  return error;
}

const deadlineMessage = 'Pod was active on the node longer than the specified deadline';

/** The verdict on a pod that outlived its activeDeadlineSeconds. */
function deadlineVerdict(
  pod: AssignedPod,
  startTime: string | undefined,
  nowMs: number,
): PodVerdict | undefined {
  if (deadlineInMs(pod, startTime, nowMs) > 0) return undefined;
  return { phase: 'Failed', reason: 'DeadlineExceeded', message: deadlineMessage };
}

function deadlineInMs({ spec }: AssignedPod, startTime: string | undefined, nowMs: number): number {
  if (spec.activeDeadlineSeconds === undefined || !startTime) return Number.POSITIVE_INFINITY;
  return Math.max(0, Date.parse(startTime) + spec.activeDeadlineSeconds * 1_000 - nowMs);
}

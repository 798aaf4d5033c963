import { type CriClient, type Input, isCriError, type PodSandboxConfig } from '@wherry/cri';
import { isSidecar } from '@wherry/podrules';
import type { MetricsRegistry } from '@wherry/telemetry';
import { describe } from '../../ground/describe-error.ts';
import { containerNameOf, type PodRecord } from '../../observation/pod-record.ts';
import type { AssignedPod } from '../../pod/assigned-pod.ts';
import type { PodContainer } from '../../pod/containers.ts';
import { type EventRecorder, podEvents } from '../../reporting/events/recorder.ts';
import type { ClaimManager } from '../claims/claim-manager.ts';
import type { ContainerKiller } from '../container/container-killer.ts';
import { type ContainerStarter, type Launch, waitsForVolume } from '../container/container-starter.ts';
import { ContainerStartError, type StartFailureReason } from '../container-start-error.ts';
import type { PresentImage } from '../images/image-manager.ts';
import type { RegistryCredentials } from '../images/pull-credentials.ts';
import { type PodActions, resizes } from '../plan/pod-actions.ts';
import type { PodResizer } from '../resize/pod-resizer.ts';
import type { RuntimeClasses } from '../sandbox/runtime-classes.ts';
import { isAlwaysThere } from '../volumes/always-there.ts';
import type { PodVolumes } from '../volumes/container-mounts.ts';
import { VolumeError } from '../volumes/volume-manager.ts';
import { type PodKiller, throwFirst } from './pod-killer.ts';
import type { WaitingReasons } from './waiting-reasons.ts';

/** Everything that one pass over a pod needs. */
export interface PodPass {
  pod: AssignedPod;
  record: PodRecord;
  actions: PodActions;
  sandbox: Input<PodSandboxConfig>;
  /** Settle when the pod's volumes are in place; containers wait for them, the sandbox where one of them may be missing. */
  volumes: Promise<PodVolumes>;
  credentials: Promise<RegistryCredentials>;
  /** A new sandbox stands; `waits` when containers have to wait, for their images or for hooks. */
  onSandbox(waits: boolean): void;
  graceSeconds: number;
  signal: AbortSignal;
}

/** How a pass went. */
export interface PassOutcome {
  /** What did not work, in order. */
  errors: Error[];
  /** When to try again at the latest; undefined leaves it to the caller. */
  retryAfterMs: number | undefined;
  /** Why what runs could not be given its new resources. */
  resizeError?: Error;
}

/** Carries a pod's actions out: kills, then sandbox, then containers. Images are fetched while the sandbox is made. */
export class PodStarter {
  readonly #runtime: CriClient['runtime'];
  readonly #recorder: EventRecorder;
  readonly #starter: ContainerStarter;
  readonly #killer: ContainerKiller;
  readonly #podKiller: PodKiller;
  readonly #reasons: WaitingReasons;
  readonly #classes: RuntimeClasses;
  readonly #resizer: PodResizer;
  readonly #claims: Pick<ClaimManager, 'prepare'>;
  readonly #figures: ReturnType<typeof startFigures>;

  constructor(options: {
    runtime: CriClient['runtime'];
    recorder: EventRecorder;
    starter: ContainerStarter;
    killer: ContainerKiller;
    podKiller: PodKiller;
    reasons: WaitingReasons;
    classes: RuntimeClasses;
    resizer: PodResizer;
    claims: Pick<ClaimManager, 'prepare'>;
    metrics: MetricsRegistry;
  }) {
    this.#runtime = options.runtime;
    this.#recorder = options.recorder;
    this.#starter = options.starter;
    this.#killer = options.killer;
    this.#podKiller = options.podKiller;
    this.#reasons = options.reasons;
    this.#classes = options.classes;
    this.#resizer = options.resizer;
    this.#claims = options.claims;
    this.#figures = startFigures(options.metrics);
  }

  /** Runs one pass. Failures of single containers are in the outcome; a failed kill or sandbox throws. */
  async run(pass: PodPass): Promise<PassOutcome> {
    const { pod, actions, record, signal } = pass;
    if (actions.announceSandbox) {
      podEvents(this.#recorder, pod).normal(
        'SandboxChanged',
        'Pod sandbox changed, it will be killed and re-created.',
      );
    }
    if (actions.killPod) {
      const { graceSeconds } = pass;
      await this.#podKiller.kill({ pod, record, graceSeconds, signal });
      if (!actions.createSandbox) return { errors: [], retryAfterMs: undefined };
      await this.#removeInitRecords(pass);
    } else await this.#killContainers(pass);
    if (actions.reset.length > 0) return this.#reset(pass);
    const ready = this.#prepareContainers(pass);
    let waits = true;
    void Promise.allSettled(ready.map(({ image }) => image)).then(() => {
      waits = false;
    });
    if (!actions.createSandbox) return this.#startContainers(pass, ready, presentSandbox(record));
    return this.#counted(pod, async () => {
      const held = await heldByVolume(pass);
      if (held) return { errors: [held], retryAfterMs: held.retryAfterMs };
      const place = await this.#createSandbox(pass);
      pass.onSandbox(waits || actions.start.some(hasHookAfterStart));
      return this.#startContainers(pass, ready, place);
    });
  }

  /** Of pods with users of their own a start that fails at any step counts: the kernel may refuse them late. */
  async #counted(pod: AssignedPod, start: () => Promise<PassOutcome>): Promise<PassOutcome> {
    if (pod.spec.hostUsers !== false) return start();
    const { userPods, userPodErrors } = this.#figures;
    userPods.add(1);
    let hasFailed = true;
    try {
      const outcome = await start();
      hasFailed = outcome.errors.length > 0;
      return outcome;
    } finally {
      if (hasFailed) userPodErrors.add(1);
    }
  }

  async #killContainers({ pod, actions, record, signal, graceSeconds }: PodPass): Promise<void> {
    const podIp = record.sandboxes[0]?.network?.ip ?? '';
    const kills = actions.kill.map(({ containerId, target, message, cause }) => {
      const own = probeGrace(target, cause) ?? graceSeconds;
      return this.#killer.kill({ pod, target, containerId, message, graceSeconds: own, podIp, signal });
    });
    await throwFirst(kills);
  }

  /**
   * A new sandbox initializes anew: what earlier init containers left must not count, nor that of sidecars, which the
   * record may still show as running though they were stopped just now.
   */
  async #removeInitRecords({ pod, record, signal }: PodPass): Promise<void> {
    const names = new Set((pod.spec.initContainers ?? []).map(({ name }) => name));
    const old = record.containers.filter((status) => names.has(containerNameOf(status)));
    await Promise.all(old.map(({ id }) => this.#remove(id, signal)));
  }

  /** All containers go at once, without their hooks; their logs stay. The next pass begins with none. */
  async #reset({ pod, actions, record, signal }: PodPass): Promise<PassOutcome> {
    const podIp = record.sandboxes[0]?.network?.ip ?? '';
    for (const { containerId, target, isLive } of actions.reset) {
      const kill = { pod, target, containerId, message: 'killing', graceSeconds: 0, podIp, signal };
      if (isLive) await this.#killer.kill(kill);
      await this.#remove(containerId, signal);
      this.#reasons.clear(pod.metadata.uid, target.container.name);
    }
    return { errors: [], retryAfterMs: undefined };
  }

  async #remove(containerId: string, signal: AbortSignal): Promise<void> {
    try {
      await this.#runtime.removeContainer({ containerId }, { signal });
    } catch (error) {
      if (!isCriError(error, 'NOT_FOUND')) throw error;
    }
  }

  #prepareContainers(pass: PodPass): PreparedContainer[] {
    return pass.actions.start.map((target) => {
      const image = this.#image(pass, target);
      image.catch(() => {});
      return { target, image };
    });
  }

  async #image(pass: PodPass, target: PodContainer): Promise<PresentImage> {
    this.#starter.checkBackoff(pass.pod, pass.record, target);
    return this.#starter.image(pass, target);
  }

  async #createSandbox({ pod, sandbox, signal }: PodPass): Promise<SandboxPlace> {
    const events = podEvents(this.#recorder, pod);
    let sandboxId: string;
    await this.#prepareClaims(pod, signal);
    this.#figures.sandboxes.add(1);
    try {
      const runtimeHandler = await this.#classes.handlerOf(pod);
      sandboxId = (await this.#runtime.runPodSandbox({ config: sandbox, runtimeHandler }, { signal }))
        .podSandboxId;
    } catch (error) {
      this.#figures.sandboxErrors.add(1);
      if (!signal.aborted) {
        events.warn('FailedCreatePodSandBox', `Failed to create pod sandbox: ${describe(error)}`);
      }
      throw error;
    }
    try {
      const { status } = await this.#runtime.podSandboxStatus({ podSandboxId: sandboxId }, { signal });
      const network = status?.network;
      const podIps = network?.ip ? [network.ip, ...network.additionalIps.map(({ ip }) => ip)] : [];
      return { sandboxId, podIps };
    } catch (error) {
      if (signal.aborted) throw error;
      events.warn('FailedPodSandBoxStatus', `Unable to get pod sandbox status: ${describe(error)}`);
      throw error;
    }
  }

  async #prepareClaims(pod: AssignedPod, signal: AbortSignal): Promise<void> {
    try {
      await this.#claims.prepare(pod, signal);
    } catch (error) {
      const message = `Failed to prepare dynamic resources: ${describe(error)}`;
      if (!signal.aborted) podEvents(this.#recorder, pod).warn('FailedPrepareDynamicResources', message);
      throw error;
    }
  }

  async #startContainers(
    pass: PodPass,
    ready: PreparedContainer[],
    place: SandboxPlace,
  ): Promise<PassOutcome> {
    const outcome: PassOutcome = { errors: [], retryAfterMs: undefined };
    const launch: Launch = { ...pass, ...place };
    const isRegular = ({ target }: PreparedContainer) => target.kind === 'regular';
    const isInitialized = await this.#startEach(
      launch,
      ready.filter((each) => !isRegular(each)),
      outcome,
    );
    if (!isInitialized) return outcome;
    await this.#resize(pass, place, outcome);
    await this.#startEach(launch, ready.filter(isRegular), outcome);
    return outcome;
  }

  /** False when an init container did not start: nothing comes after it. */
  async #startEach(
    launch: Launch,
    containers: readonly PreparedContainer[],
    outcome: PassOutcome,
  ): Promise<boolean> {
    for (const { target, image } of containers) {
      launch.signal.throwIfAborted();
      const error = await this.#startOne(launch, target, image);
      if (!error) continue;
      outcome.errors.push(error);
      outcome.retryAfterMs = earliest(outcome.retryAfterMs, error.retryAfterMs);
      if (target.kind === 'init' && !isSidecar(target.container)) return false;
    }
    return true;
  }

  /** The rest of the pod goes on where this fails; it is tried again with the next pass. */
  async #resize(
    { pod, actions, signal }: PodPass,
    { sandboxId }: SandboxPlace,
    outcome: PassOutcome,
  ): Promise<void> {
    if (!resizes(actions)) return;
    try {
      await this.#resizer.run({ pod, sandboxId, resize: actions.resize, signal });
    } catch (error) {
      if (signal.aborted) throw error;
      outcome.resizeError = error as Error;
      outcome.errors.push(outcome.resizeError);
    }
  }

  async #startOne(
    launch: Launch,
    target: PodContainer,
    image: Promise<PresentImage>,
  ): Promise<ContainerStartError | undefined> {
    const { uid } = launch.pod.metadata;
    const { name } = target.container;
    const type = { container_type: containerTypes[target.kind] };
    const isHeldBack = await image.then(
      () => false,
      (error: unknown) => error instanceof ContainerStartError && error.code === 'CrashLoopBackOff',
    );
    // As upstream: one that ended too lately is not being started.
    if (!isHeldBack) this.#figures.containers.add(1, type);
    try {
      await this.#starter.start(launch, target, await image);
      this.#reasons.clear(uid, name);
      return undefined;
    } catch (error) {
      if (launch.signal.aborted || !(error instanceof ContainerStartError)) throw error;
      if (!isHeldBack) this.#figures.containerErrors.add(1, { ...type, code: error.code });
      this.#reasons.set(uid, name, { reason: error.code, message: error.message });
      const text = isImageReason(error.code) ? `Error: ${error.code}` : `Error: ${error.message}`;
      if (!quietReasons.has(error.code)) podEvents(this.#recorder, launch.pod).warn('Failed', text, target);
      return error;
    }
  }
}

/** Who waits for a volume that may be missing has no sandbox yet, and so no address: it may wait for long. */
async function heldByVolume({ pod, volumes }: PodPass): Promise<ContainerStartError | undefined> {
  if ((pod.spec.volumes ?? []).every(isAlwaysThere)) return undefined;
  try {
    await volumes;
    return undefined;
  } catch (error) {
    // What else is wrong the containers tell.
    return error instanceof VolumeError ? waitsForVolume(error) : undefined;
  }
}

/**
 * Failures that have events of their own, or need none: what keeps a volume from being mounted, and a hook's, whose
 * event does not say what the hook printed, since that may be secret.
 */
const quietReasons: ReadonlySet<StartFailureReason> = new Set([
  'CrashLoopBackOff',
  'ContainerCreating',
  'PostStartHookError',
]);

const containerTypes = { regular: 'container', init: 'init_container', ephemeral: 'ephemeral_container' };

/** It is told to have started, and those behind it are started, once the hook is over. */
const hasHookAfterStart = ({ container }: PodContainer) => container.lifecycle?.postStart !== undefined;

/** How many starts there were, and how many did not succeed. */
function startFigures(metrics: MetricsRegistry) {
  return {
    sandboxes: metrics.plainCounter('kubelet_started_pods_total', 'Pods whose sandbox was to be made.'),
    sandboxErrors: metrics.plainCounter(
      'kubelet_started_pods_errors_total',
      'Pods whose sandbox could not be made.',
    ),
    userPods: metrics.plainCounter(
      'kubelet_started_user_namespaced_pods_total',
      'Pods with users of their own whose sandbox was to be made.',
    ),
    userPodErrors: metrics.plainCounter(
      'kubelet_started_user_namespaced_pods_errors_total',
      'Pods with users of their own that could not be started.',
    ),
    containers: metrics.counter('kubelet_started_containers_total', 'Containers that were to be started.'),
    containerErrors: metrics.counter(
      'kubelet_started_containers_errors_total',
      'Containers that could not be started, by why.',
    ),
  };
}

interface PreparedContainer {
  target: PodContainer;
  image: Promise<PresentImage>;
}

interface SandboxPlace {
  sandboxId: string;
  podIps: string[];
}

function presentSandbox({ sandboxes: [newest] }: PodRecord): SandboxPlace {
  const network = newest?.network;
  const podIps = network?.ip ? [network.ip, ...network.additionalIps.map(({ ip }) => ip)] : [];
  return { sandboxId: newest?.id ?? '', podIps };
}

function probeGrace({ container }: PodContainer, cause: string): number | undefined {
  if (cause === 'liveness') return container.livenessProbe?.terminationGracePeriodSeconds;
  return cause === 'startup' ? container.startupProbe?.terminationGracePeriodSeconds : undefined;
}

function earliest(a: number | undefined, b: number | undefined): number | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return Math.min(a, b);
}

const imageReasons = new Set([
  'ErrImagePull',
  'ImagePullBackOff',
  'ErrImageNeverPull',
  'InvalidImageName',
  'ImageInspectError',
  'RegistryUnavailable',
  'SignatureValidationFailed',
]);

function isImageReason(code: string): boolean {
  return imageReasons.has(code);
}

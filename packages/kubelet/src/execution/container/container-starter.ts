import { dirname, join } from 'node:path';
import type { Clock } from '@wherry/clock';
import {
  ContainerState,
  type CriClient,
  type Input,
  isCriError,
  type PodSandboxConfig,
  type UserNamespace,
} from '@wherry/cri';
import type { AllocationStore } from '../../board/allocations.ts';
import type { FailureBackoff } from '../../ground/failure-backoff.ts';
import type { NodePaths } from '../../ground/node-paths.ts';
import { makeLogFolder } from '../../logs/log-folder.ts';
import { containerNameOf, newestContainer, type PodRecord } from '../../observation/pod-record.ts';
import type { AssignedPod } from '../../pod/assigned-pod.ts';
import { limitsOf } from '../../pod/container-amounts.ts';
import type { PodContainer } from '../../pod/containers.ts';
import { type EventRecorder, podEvents } from '../../reporting/events/recorder.ts';
import type { ResourceContext } from '../cgroups/resources.ts';
import type { ClaimViews } from '../claims/claim-views.ts';
import { ContainerStartError } from '../container-start-error.ts';
import type { DeviceManager } from '../devices/device-manager.ts';
import type { ImageManager, PresentImage } from '../images/image-manager.ts';
import type { RegistryCredentials } from '../images/pull-credentials.ts';
import type { PodInputs } from '../inputs/pod-inputs.ts';
import type { ResourceManagers } from '../managers/resource-managers.ts';
import { machineUsers } from '../sandbox/user-ranges.ts';
import type { ContainerMounts, PodVolumes } from '../volumes/container-mounts.ts';
import { VolumeError } from '../volumes/volume-manager.ts';
import { containerConfig } from './container-config.ts';
import type { ContainerKiller } from './container-killer.ts';
import { holdBack, noteComeback } from './crash-backoff.ts';
import { type HookFigures, runHook } from './hooks.ts';
import type { ImageVolumeFigures } from './image-volume-figures.ts';
import type { LogLinks } from './log-links.ts';
import { nextRestartCount } from './restart-count.ts';

/** What starting containers needs of the kubelet. */
export interface ContainerStarterOptions {
  runtime: CriClient['runtime'];
  images: ImageManager;
  recorder: EventRecorder;
  clock: Clock;
  backoff: FailureBackoff;
  killer: ContainerKiller;
  paths: NodePaths;
  mounts: ContainerMounts;
  resources: ResourceContext;
  seccompDefault: boolean;
  /** What containers do not see of the machine. */
  maskedPaths: readonly string[];
  inputs: PodInputs;
  links: LogLinks;
  hooks: HookFigures;
  imageVolumes: ImageVolumeFigures;
  devices: DeviceManager;
  claims: Pick<ClaimViews, 'cdiDevicesOf'>;
  managers: Pick<ResourceManagers, 'placementOf' | 'started'>;
  /** What pods were made with. */
  actuated: AllocationStore;
}

interface Created {
  containerId: string;
  /** Below the pod's log folder. */
  logPath: string;
}

/** The pod a container is started in. */
export interface Launch {
  pod: AssignedPod;
  record: PodRecord;
  sandboxId: string;
  sandbox: Input<PodSandboxConfig>;
  podIps: readonly string[];
  volumes: Promise<PodVolumes>;
  credentials: Promise<RegistryCredentials>;
  signal: AbortSignal;
}

/** Starts single containers: back-off, image, configuration, create, start, postStart hook. */
export class ContainerStarter {
  readonly #options: ContainerStarterOptions;

  constructor(options: ContainerStarterOptions) {
    this.#options = options;
  }

  /** Throws {@link ContainerStartError} while the container's last end is too fresh. */
  checkBackoff(pod: AssignedPod, record: PodRecord, target: PodContainer): void {
    holdBack(this.#options, { pod, record, target });
  }

  /** The container's image; may run while the sandbox is still being made. */
  async image(launch: Omit<Launch, 'sandboxId' | 'podIps'>, target: PodContainer): Promise<PresentImage> {
    const { pod, sandbox, signal } = launch;
    const credentials = await launch.credentials;
    const { image = '', imagePullPolicy: pullPolicy } = target.container;
    const request = { pod, image, pullPolicy, target, sandbox, credentials, signal };
    return this.#options.images.ensure({ ...request, tellsLater: true });
  }

  /** Starts a container whose image is there. Throws {@link ContainerStartError}. */
  async start(launch: Launch, target: PodContainer, image: PresentImage): Promise<void> {
    const { recorder, runtime, links } = this.#options;
    const events = podEvents(recorder, launch.pod);
    noteComeback(this.#options, { ...launch, target });
    await this.#removeUnstarted(launch, target);
    const { containerId, logPath } = await this.#create(launch, target, image);
    events.normal('Created', 'Container created', target);
    try {
      await runtime.startContainer({ containerId }, { signal: launch.signal });
    } catch (error) {
      throw new ContainerStartError('RunContainerError', (error as Error).message, { cause: error });
    }
    events.normal('Started', 'Container started', target);
    links.add(launch.pod, target.container.name, { id: containerId, logPath });
    await this.#postStart(launch, target, containerId);
  }

  /**
   * Takes away what was made under the same name and, as far as is known, not started. Its start may be under way, asked
   * for by a kubelet that is gone: then two would run at once. Removing waits for it.
   */
  async #removeUnstarted({ record, signal }: Launch, { container }: PodContainer): Promise<void> {
    const unstarted = record.containers.filter(
      (status) =>
        containerNameOf(status) === container.name && status.state === ContainerState.CONTAINER_CREATED,
    );
    for (const { id } of unstarted) {
      try {
        await this.#options.runtime.removeContainer({ containerId: id }, { signal });
      } catch (error) {
        if (!isCriError(error, 'NOT_FOUND'))
          throw new ContainerStartError('CreateContainerError', (error as Error).message, { cause: error });
      }
    }
  }

  async #create(launch: Launch, target: PodContainer, image: PresentImage): Promise<Created> {
    const { sandboxId, sandbox, signal } = launch;
    const config = await this.#configure(launch, target, image);
    await this.#noteResources(launch.pod, target);
    try {
      const request = { podSandboxId: sandboxId, config, sandboxConfig: sandbox };
      const { containerId } = await this.#options.imageVolumes.counted(launch.pod, target.container, () =>
        this.#options.runtime.createContainer(request, { signal }),
      );
      this.#options.managers.started(launch.pod, target.container);
      return { containerId, logPath: config.logPath ?? '' };
    } catch (error) {
      throw new ContainerStartError('CreateContainerError', (error as Error).message, { cause: error });
    }
  }

  /** Before it is made: what runs was never made with anything else. */
  async #noteResources(pod: AssignedPod, { kind, container }: PodContainer): Promise<void> {
    if (kind === 'ephemeral') return;
    const { requests = {} } = container.resources ?? {};
    const resources = { requests, limits: { ...limitsOf(pod, container) } };
    this.#options.actuated.setContainer(pod.metadata.uid, container.name, resources);
    await this.#options.actuated.written();
  }

  async #configure(launch: Launch, target: PodContainer, image: PresentImage) {
    const { pod, record, podIps } = launch;
    const { paths, mounts, resources, seccompDefault, maskedPaths, devices, claims } = this.#options;
    let { isUntold = false } = image;
    const tellImage = () => {
      if (isUntold) this.#options.images.tellPresent({ pod, image: target.container.image ?? '', target });
      isUntold = false;
    };
    try {
      const podLogDir = paths.podLogDir(pod);
      const restartCount = await nextRestartCount(record, target.container.name, podLogDir);
      makeLogFolder(
        paths.podLogsDir,
        dirname(join(podLogDir, paths.logPath(target.container.name, restartCount))),
      );
      const [environment, volumes, plugInSettings] = await Promise.all([
        this.#options.inputs.variables(pod, target, {
          podIps,
          volumes: launch.volumes,
          signal: launch.signal,
        }),
        launch.volumes,
        devices.settingsOf(pod, target.container, launch.signal),
      ]);
      tellImage();
      const targetId = processTarget(target, record);
      const withImages = await this.#pullVolumes(launch, target, volumes);
      const request = { pod, target, volumes: withImages, environment, podIps };
      return containerConfig({
        pod,
        target,
        image,
        restartCount,
        environment,
        mounts: await mounts.prepare(request),
        devices: mounts.devices(request),
        volumeGroups: [...volumes.values()].flatMap(({ group }) => group ?? []),
        plugInSettings,
        claimDevices: claims.cdiDevicesOf(pod, target.container),
        placement: this.#options.managers.placementOf(pod, target.container),
        paths,
        resources,
        seccompDefault,
        maskedPaths,
        targetId,
        users: usersOf(launch.sandbox),
      });
    } catch (error) {
      // Who waits for volumes is tried again and again, and has got no further than them.
      if (!(error instanceof VolumeError)) tellImage();
      if (error instanceof ContainerStartError) throw error;
      if (error instanceof VolumeError) throw waitsForVolume(error);
      throw new ContainerStartError('CreateContainerConfigError', (error as Error).message, { cause: error });
    }
  }

  /** The volumes with what the runtime calls the images among them that this container mounts: on the node by their policy. */
  async #pullVolumes(launch: Launch, target: PodContainer, volumes: PodVolumes): Promise<PodVolumes> {
    const { pod, sandbox, signal } = launch;
    const mounted = new Set(target.container.volumeMounts?.map(({ name }) => name));
    const pulled = new Map(volumes);
    for (const { name, image } of pod.spec.volumes ?? []) {
      const volume = volumes.get(name);
      if (!image || !volume || !mounted.has(name)) continue;
      const { reference = '', pullPolicy } = image;
      const credentials = await launch.credentials;
      const request = { pod, image: reference, pullPolicy, target: undefined, sandbox, credentials, signal };
      pulled.set(name, { ...volume, image: (await this.#options.images.ensure(request)).ref });
    }
    return pulled;
  }

  async #postStart(launch: Launch, target: PodContainer, containerId: string): Promise<void> {
    const { runtime, clock, recorder, killer, hooks: figures } = this.#options;
    const handler = target.container.lifecycle?.postStart;
    if (!handler) return;
    const { pod, signal, podIps } = launch;
    const podIp = podIps[0] ?? '';
    try {
      await runHook(handler, {
        ...{ runtime, clock, recorder, figures, pod, target, containerId, podIp, signal },
      });
    } catch (error) {
      if (signal.aborted) throw error;
      podEvents(recorder, pod).warn('FailedPostStartHook', 'PostStartHook failed', target);
      const graceSeconds = pod.spec.terminationGracePeriodSeconds ?? 30;
      await killer.kill({
        pod,
        target,
        containerId,
        message: 'FailedPostStartHook',
        graceSeconds,
        podIp,
        signal,
      });
      throw new ContainerStartError('PostStartHookError', (error as Error).message, { cause: error });
    }
  }
}

function usersOf({ linux }: Input<PodSandboxConfig>): Input<UserNamespace> {
  return linux?.securityContext?.namespaceOptions?.usernsOptions ?? machineUsers;
}

function processTarget({ targetContainerName }: PodContainer, record: PodRecord): string {
  if (!targetContainerName) return '';
  const found = newestContainer(record, targetContainerName);
  if (found?.state === ContainerState.CONTAINER_RUNNING) return found.id;
  throw new Error(`unable to find target container ${targetContainerName}`);
}

/** A container that does not start before a volume is there. */
export const waitsForVolume = (error: VolumeError): ContainerStartError =>
  new ContainerStartError('ContainerCreating', error.message, {
    cause: error,
    retryAfterMs: error.retryAfterMs,
  });

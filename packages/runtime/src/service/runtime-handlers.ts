import {
  CgroupDriver,
  type ContainerStatus as CriContainerStatus,
  type Input,
  type RuntimeServiceHandlers,
} from '@wherry/cri';
import type { ImageStore } from '@wherry/images';
import type { MonitorClient } from '@wherry/monitor-api';
import { filterContainers, filterSandboxes } from '../answers/filters.ts';
import { containerInfo, sandboxInfo } from '../answers/info.ts';
import { toContainer, toContainerStatus, toSandbox, toSandboxStatus } from '../answers/messages.ts';
import type { Certainty } from '../container/certainty.ts';
import type { Container } from '../container/container-record.ts';
import type { ContainerService } from '../container/container-service.ts';
import type { ContainerStore } from '../container/container-store.ts';
import type { ContainerUpdater } from '../container/container-updater.ts';
import type { MonitorFollower } from '../container/monitor-follower.ts';
import { RuntimeError } from '../errors.ts';
import type { PodNetwork } from '../network/pod-network.ts';
import type { RuntimeSettings } from '../runtime-options.ts';
import type { PodLifecycle } from '../sandbox/pod-lifecycle.ts';
import type { SandboxService } from '../sandbox/sandbox-service.ts';
import type { SandboxStore } from '../sandbox/sandbox-store.ts';
import type { MachineAbilities } from '../spec/machine.ts';
import { defaultHandler } from '../spec/runtime-handler.ts';
import type { NanosecondClock } from '../state/nanosecond-clock.ts';
import { metricDescriptors, podMetrics } from '../stats/metrics/pod-metrics.ts';
import type { StatsService } from '../stats/stats-service.ts';
import type { CheckpointService } from './checkpoint/checkpoint-service.ts';
import type { ExecService } from './exec-service.ts';
import type { PodEvents } from './pod-events.ts';

/** Who answers the calls of CRI's runtime service. */
export interface RuntimeHandlersOptions {
  sandboxes: SandboxService;
  sandboxStore: SandboxStore;
  containers: ContainerService;
  containerStore: ContainerStore;
  updater: ContainerUpdater;
  checkpoints: CheckpointService;
  images: ImageStore;
  exec: ExecService;
  stats: StatsService;
  network: PodNetwork;
  monitor: MonitorClient;
  machine: MachineAbilities;
  settings: RuntimeSettings;
  clock: NanosecondClock;
  events: PodEvents;
  follower: MonitorFollower;
  certainty: Certainty;
  nri: PodLifecycle;
  version: string;
  /** Facts for `Status` with verbose, as JSON texts. */
  info(): Record<string, string>;
}

type Handlers = RuntimeServiceHandlers;

/** The handlers of CRI's runtime service. Lists and statuses are answered from memory and never wait. */
export function runtimeHandlers(options: RuntimeHandlersOptions): Handlers {
  return {
    ...nodeHandlers(options),
    ...sandboxHandlers(options),
    ...containerHandlers(options),
    ...streamHandlers(options),
    ...statsHandlers(options),
  };
}

function nodeHandlers(options: RuntimeHandlersOptions): Handlers {
  const { network, machine, settings, follower, version, info } = options;
  return {
    async version() {
      return { version: '0.1.0', runtimeName: 'wherry', runtimeVersion: version, runtimeApiVersion: 'v1' };
    },
    async status({ verbose }) {
      const { problem } = network;
      const networkReady = {
        type: 'NetworkReady',
        status: problem === null,
        reason: problem === null ? '' : 'NetworkPluginNotReady',
        message: problem ?? '',
      };
      const { hasMonitor } = follower;
      const runtimeReady = {
        type: 'RuntimeReady',
        status: hasMonitor,
        reason: hasMonitor ? '' : 'MonitorNotReady',
        message: hasMonitor ? '' : `no monitor answers on "${settings.monitorSocketPath}"; is it running?`,
      };
      const handlers = [
        ...['', defaultHandler].map((name) => [name, machine] as const),
        ...machine.runtimeHandlers,
      ];
      const userNamespaces = machine.userNamespaceProblem === null;
      return {
        status: {
          conditions: [runtimeReady, networkReady],
        },
        runtimeHandlers: handlers.map(([name, { supportsRecursiveReadOnly }]) => ({
          name,
          features: { recursiveReadOnlyMounts: supportsRecursiveReadOnly, userNamespaces },
        })),
        features: { supplementalGroupsPolicy: true, userNamespacesHostNetwork: false, mountOptions: true },
        info: verbose ? { ...info(), ...network.info() } : {},
      };
    },
    async runtimeConfig() {
      const driver = settings.cgroupDriver === 'systemd' ? CgroupDriver.SYSTEMD : CgroupDriver.CGROUPFS;
      return { linux: { cgroupDriver: driver } };
    },
    async updateRuntimeConfig({ runtimeConfig }) {
      const podCidr = runtimeConfig?.networkConfig?.podCidr ?? '';
      if (podCidr !== '') await network.adoptRange(podCidr);
      return {};
    },
    async *getContainerEvents(_request, { signal }) {
      yield* options.events.hub.subscribe(signal);
    },
  };
}

function sandboxHandlers({
  sandboxes,
  sandboxStore,
  containerStore,
  images,
  clock,
  certainty,
  network,
  nri,
}: RuntimeHandlersOptions): Handlers {
  return {
    async runPodSandbox({ config, runtimeHandler }) {
      if (!config) throw new RuntimeError('INVALID_ARGUMENT', 'RunPodSandbox needs a config');
      return { podSandboxId: await sandboxes.run(config, runtimeHandler) };
    },
    async stopPodSandbox({ podSandboxId }) {
      await sandboxes.stop(podSandboxId);
      return {};
    },
    async removePodSandbox({ podSandboxId }) {
      await sandboxes.remove(podSandboxId);
      return {};
    },
    async podSandboxStatus({ podSandboxId, verbose }) {
      sandboxes.checkPins(podSandboxId);
      const sandbox = sandboxStore.find(podSandboxId);
      return {
        status: toSandboxStatus(sandbox),
        containersStatuses: statusesOf(
          containerStore.ofSandbox(sandbox.id).map((container) => certainty.known(container)),
          images,
        ),
        timestamp: clock.now(),
        info: verbose ? sandboxInfo(sandbox, network.complaintOf(sandbox.id)) : {},
      };
    },
    async listPodSandbox({ filter }) {
      return { items: filterSandboxes(sandboxStore.list(), filter).map(toSandbox) };
    },
    async *streamPodSandboxes({ filter }) {
      for (const sandbox of filterSandboxes(sandboxStore.list(), filter))
        yield { podSandboxes: [toSandbox(sandbox)] };
    },
    async updatePodSandboxResources({ podSandboxId, overhead, resources }) {
      const before = sandboxStore.find(podSandboxId);
      if (!nri.isIdle) await nri.podUpdating(before, { overhead, resources });
      const sandbox = sandboxStore.find(before.id);
      const linux = sandbox.config.linux;
      const changed = linux && {
        ...linux,
        overhead: overhead ?? linux.overhead,
        resources: resources ?? linux.resources,
      };
      sandboxStore.put({ ...sandbox, config: { ...sandbox.config, linux: changed } });
      if (!nri.isIdle) await nri.podUpdated(sandboxStore.find(sandbox.id));
      return {};
    },
  };
}

function containerHandlers({
  sandboxes,
  containers,
  containerStore,
  sandboxStore,
  updater,
  checkpoints,
  images,
  monitor,
  certainty,
}: RuntimeHandlersOptions): Handlers {
  const shown = () => containerStore.list().map((container) => certainty.shown(container));
  return {
    async createContainer({ podSandboxId, config, sandboxConfig }) {
      if (!config) throw new RuntimeError('INVALID_ARGUMENT', 'CreateContainer needs a config');
      sandboxes.checkPins(podSandboxId);
      if (config.linux?.securityContext?.privileged) {
        const pod = sandboxConfig ?? sandboxStore.find(podSandboxId).config;
        if (!pod.linux?.securityContext?.privileged)
          throw new RuntimeError('INVALID_ARGUMENT', 'no privileged container allowed in sandbox');
      }
      return { containerId: await containers.create(podSandboxId, config) };
    },
    async startContainer({ containerId }) {
      await containers.start(containerId);
      return {};
    },
    async stopContainer({ containerId, timeout }, { signal }) {
      await containers.stop(containerId, timeout, signal);
      return {};
    },
    async removeContainer({ containerId }) {
      await containers.remove(containerId);
      return {};
    },
    async listContainers({ filter }) {
      return { containers: filterContainers(shown(), filter).map(toContainer) };
    },
    async *streamContainers({ filter }) {
      for (const container of filterContainers(shown(), filter)) {
        yield { containers: [toContainer(container)] };
      }
    },
    async containerStatus({ containerId, verbose }) {
      const container = certainty.known(containerStore.find(containerId));
      return {
        status: toContainerStatus(container, images.catalog.get(container.imageId)),
        info: verbose ? containerInfo(container, await containerStore.specOf(container)) : {},
      };
    },
    async updateContainerResources({ containerId, linux }) {
      const { id } = containerStore.find(containerId);
      if (linux) await updater.update(id, linux);
      return {};
    },
    async reopenContainerLog({ containerId }) {
      const container = containerStore.find(containerId);
      if (container.state !== 'running') {
        throw new RuntimeError(
          'FAILED_PRECONDITION',
          `container ${container.id} is ${container.state}; its log is closed`,
        );
      }
      await monitor.call('container.reopenLog', { id: container.id });
      return {};
    },
    async checkpointContainer({ containerId, location, timeout }, { signal }) {
      await checkpoints.checkpoint({ containerId, location, timeoutS: Number(timeout) }, signal);
      return {};
    },
  };
}

function streamHandlers({ exec }: RuntimeHandlersOptions): Handlers {
  return {
    execSync: ({ containerId, cmd, timeout }, { signal }) => exec.sync(containerId, cmd, timeout, signal),
    exec: async (request) => ({ url: await exec.exec(request) }),
    attach: async (request) => ({ url: await exec.attach(request) }),
    portForward: async (request) => ({ url: await exec.portForward(request) }),
  };
}

function statsHandlers(options: RuntimeHandlersOptions): Handlers {
  const { stats, monitor, clock, containerStore: containers, sandboxStore } = options;
  const { layout } = options.machine;
  const { cgroupDriver } = options.settings;
  const metrics = () =>
    podMetrics({ monitor, clock, containers, sandboxes: sandboxStore, stats, layout, cgroupDriver });
  return {
    listMetricDescriptors: async () => ({ descriptors: metricDescriptors }),
    listPodSandboxMetrics: async () => ({ podMetrics: await metrics() }),
    async *streamPodSandboxMetrics() {
      for (const item of await metrics()) yield { podSandboxMetrics: [item] };
    },
    containerStats: async ({ containerId }) => ({ stats: await stats.container(containerId) }),
    listContainerStats: async ({ filter }) => ({ stats: await stats.containers(filter) }),
    async *streamContainerStats({ filter }) {
      for (const item of await stats.containers(filter)) yield { containerStats: [item] };
    },
    podSandboxStats: async ({ podSandboxId }) => ({ stats: await stats.sandbox(podSandboxId) }),
    listPodSandboxStats: async ({ filter }) => ({ stats: await stats.sandboxes(filter) }),
    async *streamPodSandboxStats({ filter }) {
      for (const item of await stats.sandboxes(filter)) yield { podSandboxStats: [item] };
    },
  };
}

/** The statuses of several containers. */
function statusesOf(containers: readonly Container[], images: ImageStore): Input<CriContainerStatus>[] {
  return containers.map((container) => toContainerStatus(container, images.catalog.get(container.imageId)));
}

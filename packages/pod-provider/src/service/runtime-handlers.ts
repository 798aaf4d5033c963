import { EventHub } from '@wherry/bytes';
import type { Clock } from '@wherry/clock';
import {
  type ContainerConfig,
  ContainerEventType,
  CriError,
  type PodSandboxConfig,
  PodSandboxState,
  type RuntimeServiceHandlers,
} from '@wherry/cri';
import type { StreamingServer } from '@wherry/monitor';
import type { Logger } from '@wherry/telemetry';
import { ContainerRecord } from '../container/container-record.ts';
import { execSync } from '../container/exec-sync.ts';
import { limits } from '../limits.ts';
import type { PodProvider } from '../provider.ts';
import type { Records } from '../records.ts';
import { SandboxRecord } from '../sandbox-record.ts';
import type { Images } from './image-handlers.ts';
import { containerStats, sandboxStats } from './stats.ts';

const criVersion = '0.1.0';
const msPerSecond = 1_000;
const localAddresses: readonly string[] = ['127.0.0.1'];

/** What the runtime service answers from. */
export interface RuntimeHandlersOptions {
  provider: PodProvider;
  records: Records;
  images: Images;
  streaming: StreamingServer;
  clock: Clock;
  logger: Logger;
  nowNs(): bigint;
}

/** The calls of CRI's runtime service that a provider can stand behind; the others are UNIMPLEMENTED. */
export function runtimeHandlers(options: RuntimeHandlersOptions): RuntimeServiceHandlers {
  const { provider, records, images, streaming, clock, logger, nowNs } = options;
  const events = new EventHub<ReturnType<typeof eventOf>>(limits.eventsPerReaderMax);
  const eventOf = (container: ContainerRecord) => ({
    containerId: container.id,
    containerEventType: container.isRunning
      ? ContainerEventType.CONTAINER_STARTED_EVENT
      : ContainerEventType.CONTAINER_STOPPED_EVENT,
    createdAt: nowNs(),
    podSandboxStatus: records.findSandbox(container.pod.id)?.status,
    containersStatuses: records.containersOf(container.pod.id).map(({ status }) => status),
  });
  const onChanged = (container: ContainerRecord) => {
    if (events.hasReaders) events.publish(eventOf(container));
  };

  async function stopSandbox(id: string, signal: AbortSignal): Promise<void> {
    const sandbox = records.findSandbox(id);
    if (!sandbox) return;
    // From here on no container is made in it.
    sandbox.state = PodSandboxState.SANDBOX_NOTREADY;
    await Promise.all(records.containersOf(id).map((container) => container.stop(0, signal)));
    streaming.endForwards(id);
    await provider.stopPod?.(sandbox.pod, { signal });
  }

  async function removeContainer(container: ContainerRecord, signal?: AbortSignal): Promise<void> {
    await container.stop(0, signal);
    records.removeContainer(container.id);
  }

  return {
    version: async () => ({
      ...{ version: criVersion, runtimeName: provider.name, runtimeVersion: provider.version },
      runtimeApiVersion: 'v1',
    }),
    status: async () => ({
      status: {
        conditions: ['RuntimeReady', 'NetworkReady'].map((type) => ({ type, status: true })),
      },
    }),
    runPodSandbox: async ({ config, runtimeHandler }, { signal }) => {
      const sandbox = new SandboxRecord(config as PodSandboxConfig, {
        createdAtNs: nowNs(),
        runtimeHandler,
      });
      records.addSandbox(sandbox);
      try {
        const made = await provider.startPod?.(sandbox.pod, { signal });
        sandbox.addresses = made?.addresses ?? (sandbox.isOnHostNetwork ? [] : localAddresses);
      } catch (error) {
        records.removeSandbox(sandbox.pod.id);
        throw error;
      }
      sandbox.state = PodSandboxState.SANDBOX_READY;
      return { podSandboxId: sandbox.pod.id };
    },
    stopPodSandbox: async ({ podSandboxId }, { signal }) => {
      await stopSandbox(podSandboxId, signal);
      return {};
    },
    removePodSandbox: async ({ podSandboxId }, { signal }) => {
      await stopSandbox(podSandboxId, signal);
      for (const container of records.containersOf(podSandboxId)) await removeContainer(container, signal);
      records.removeSandbox(podSandboxId);
      return {};
    },
    podSandboxStatus: async ({ podSandboxId }) => ({ status: records.sandbox(podSandboxId).status }),
    listPodSandbox: async ({ filter }) => ({ items: records.sandboxes(filter).map(({ status }) => status) }),
    createContainer: async ({ podSandboxId, config }) => {
      const { pod, isReady } = records.sandbox(podSandboxId);
      if (!isReady) throw new CriError('FAILED_PRECONDITION', `pod sandbox ${podSandboxId} is not ready`);
      const wanted = config as ContainerConfig;
      const image = images.find(wanted.image?.image ?? '');
      const container = new ContainerRecord({
        ...{ pod, config: wanted, image, provider, clock, logger, nowNs, onChanged },
      });
      records.addContainer(container);
      return { containerId: container.id };
    },
    startContainer: async ({ containerId }) => {
      await records.container(containerId).start();
      return {};
    },
    stopContainer: async ({ containerId, timeout = 0 }, { signal }) => {
      await records.findContainer(containerId)?.stop(timeout * msPerSecond, signal);
      return {};
    },
    removeContainer: async ({ containerId }, { signal }) => {
      const container = records.findContainer(containerId);
      if (container) await removeContainer(container, signal);
      return {};
    },
    containerStatus: async ({ containerId }) => ({ status: records.container(containerId).status }),
    listContainers: async ({ filter }) => ({
      containers: records.containers(filter).map(({ status, pod }) => ({ ...status, podSandboxId: pod.id })),
    }),
    reopenContainerLog: async ({ containerId }) => {
      await records.container(containerId).reopenLog();
      return {};
    },
    execSync: ({ containerId, cmd = [], timeout = 0 }, { signal }) =>
      execSync(records.container(containerId), {
        ...{ provider, clock, command: cmd, timeoutMs: timeout * msPerSecond, signal },
      }),
    exec: async ({ containerId, cmd, stdin, stdout, stderr, tty }) => {
      if (cmd.length === 0) throw new CriError('INVALID_ARGUMENT', 'there is no command to run');
      const container = records.container(containerId);
      if (!container.isRunning)
        throw new CriError('FAILED_PRECONDITION', `container ${containerId} is not running`);
      return { url: streaming.execUrl({ containerId, process: { args: cmd }, stdin, stdout, stderr, tty }) };
    },
    attach: async ({ containerId, stdin, stdout, stderr, tty }) => {
      if (!records.container(containerId).isRunning)
        throw new CriError('FAILED_PRECONDITION', `container ${containerId} is not running`);
      return { url: streaming.attachUrl({ containerId, stdin, stdout, stderr, tty }) };
    },
    portForward: async ({ podSandboxId, port }) => {
      records.sandbox(podSandboxId);
      return { url: streaming.portForwardUrl({ sandboxId: podSandboxId, ports: port }) };
    },
    containerStats: async ({ containerId }) => ({
      stats: await containerStats(records.container(containerId)),
    }),
    listContainerStats: async ({ filter }) => {
      const running = records.containers(filter).filter(({ isRunning }) => isRunning);
      return { stats: await Promise.all(running.map(containerStats)) };
    },
    podSandboxStats: async ({ podSandboxId }) => ({
      stats: await sandboxStats(records.sandbox(podSandboxId), records.containersOf(podSandboxId)),
    }),
    listPodSandboxStats: async ({ filter }) => {
      const ready = records.sandboxes(filter).filter(({ isReady }) => isReady);
      const told = ready.map((sandbox) => sandboxStats(sandbox, records.containersOf(sandbox.pod.id)));
      return { stats: await Promise.all(told) };
    },
    getContainerEvents: (_request, { signal }) => events.subscribe(signal),
  };
}

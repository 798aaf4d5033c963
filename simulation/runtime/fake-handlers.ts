import { sleep } from '@wherry/clock';
import {
  ContainerEventType,
  ContainerState,
  CriError,
  type ImageServiceHandlers,
  type RuntimeServiceHandlers,
} from '@wherry/cri';
import { containerOf, type FakeRuntime, hasLabels, statusOf } from './fake-runtime.ts';
import { programOf } from './program.ts';

const startMs = 40;
const pullMs = 300;

/** The handlers of the runtime service. */
export function fakeRuntimeHandlers(runtime: FakeRuntime): RuntimeServiceHandlers {
  const { clock } = runtime;
  return {
    version: async () => ({
      version: '0.1.0',
      runtimeName: 'fake',
      runtimeVersion: '1',
      runtimeApiVersion: 'v1',
    }),
    status: async () => ({
      status: { conditions: ['RuntimeReady', 'NetworkReady'].map((type) => ({ type, status: true })) },
      runtimeHandlers: [{ name: '' }],
    }),
    runPodSandbox: async ({ config }) => {
      if (!config) throw new CriError('INVALID_ARGUMENT', 'no config');
      await sleep({ clock, delayMs: startMs });
      const sandbox = { id: runtime.newId(), config, isReady: true, createdAt: runtime.stamp() };
      runtime.refuseTwins(
        config,
        [...runtime.sandboxes.values()].map((other) => other.config),
      );
      runtime.sandboxes.set(sandbox.id, sandbox);
      return { podSandboxId: sandbox.id };
    },
    stopPodSandbox: async ({ podSandboxId }) => {
      const sandbox = runtime.sandboxes.get(podSandboxId);
      if (!sandbox) return {};
      sandbox.isReady = false;
      for (const { id } of runtime.ofSandbox(podSandboxId)) runtime.exit(id, 137);
      return {};
    },
    removePodSandbox: async ({ podSandboxId }) => {
      for (const { id } of runtime.ofSandbox(podSandboxId)) runtime.remove(id);
      runtime.sandboxes.delete(podSandboxId);
      return {};
    },
    podSandboxStatus: async ({ podSandboxId }) => {
      const sandbox = runtime.sandbox(podSandboxId);
      const { podSandboxStatus: status, containersStatuses } = runtime.podStatus(sandbox);
      return { status, containersStatuses, timestamp: runtime.stamp() };
    },
    listPodSandbox: async ({ filter }) => ({
      items: [...runtime.sandboxes.values()]
        .filter(({ config }) => hasLabels(config.labels, filter?.labelSelector))
        .map((sandbox) => runtime.sandboxStatus(sandbox)),
    }),
    createContainer: async ({ podSandboxId, config, sandboxConfig: _config }) => {
      if (!config) throw new CriError('INVALID_ARGUMENT', 'no config');
      await sleep({ clock, delayMs: startMs });
      if (!runtime.sandbox(podSandboxId).isReady)
        throw new CriError('FAILED_PRECONDITION', 'the sandbox is not ready');
      runtime.refuseTwins(
        config,
        runtime.ofSandbox(podSandboxId).map((other) => other.config),
      );
      const id = runtime.newId();
      const program = programOf([...config.command, ...config.args]);
      const state = ContainerState.CONTAINER_CREATED;
      const container = {
        id,
        sandboxId: podSandboxId,
        config,
        program,
        state,
        createdAt: runtime.stamp(),
        startedAt: 0n,
        finishedAt: 0n,
        exitCode: 0,
      };
      runtime.containers.set(id, container);
      return { containerId: id };
    },
    startContainer: async ({ containerId }) => {
      const container = runtime.container(containerId);
      if (container.state !== ContainerState.CONTAINER_CREATED)
        throw new CriError('FAILED_PRECONDITION', 'not created');
      const sandbox = runtime.sandbox(container.sandboxId);
      if (!sandbox.isReady) throw new CriError('FAILED_PRECONDITION', 'the sandbox is not ready');
      container.state = ContainerState.CONTAINER_RUNNING;
      container.startedAt = runtime.stamp();
      runtime.onStarted(container);
      const { exitsAfterMs, exitCode } = container.program;
      if (exitsAfterMs !== undefined) runtime.exitAfter(containerId, exitsAfterMs, exitCode);
      runtime.tell(container, ContainerEventType.CONTAINER_STARTED_EVENT);
      return {};
    },
    stopContainer: async ({ containerId, timeout }) => {
      const container = runtime.container(containerId);
      if (container.state !== ContainerState.CONTAINER_RUNNING) return {};
      const { stopsAfterMs } = container.program;
      const graceMs = Number(timeout) * 1_000;
      await sleep({ clock, delayMs: Math.min(stopsAfterMs, graceMs) });
      runtime.exit(containerId, stopsAfterMs < graceMs ? 143 : 137);
      return {};
    },
    removeContainer: async ({ containerId }) => {
      runtime.remove(containerId);
      return {};
    },
    listContainers: async ({ filter }) => ({
      containers: [...runtime.containers.values()]
        .filter(({ config }) => hasLabels(config.labels, filter?.labelSelector))
        .filter(({ state }) => filter?.state === undefined || filter.state.state === state)
        .map((container) => containerOf(container)),
    }),
    containerStatus: async ({ containerId }) => ({ status: statusOf(runtime.container(containerId)) }),
    getContainerEvents: (_request, { signal }) => runtime.events(signal),
  };
}

/** The handlers of the image service; every image can be pulled. */
export function fakeImageHandlers({ clock, images }: FakeRuntime): ImageServiceHandlers {
  const imageOf = (name: string) => ({
    id: `sha256:${name}`,
    repoTags: [name],
    repoDigests: [],
    size: 1,
    spec: { image: name },
  });
  return {
    listImages: async () => ({ images: [...images].map(imageOf) }),
    imageStatus: async ({ image }) =>
      images.has(image?.image ?? '') ? { image: imageOf(image?.image ?? '') } : {},
    pullImage: async ({ image }) => {
      await sleep({ clock, delayMs: pullMs });
      images.add(image?.image ?? '');
      return { imageRef: `sha256:${image?.image}` };
    },
    removeImage: async () => ({}),
    imageFsInfo: async () => ({ imageFilesystems: [{ fsId: { mountpoint: '/var/lib' } }] }),
  };
}

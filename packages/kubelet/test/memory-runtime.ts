/** A CRI server whose containers exist in memory alone: for tests of a whole kubelet on a real socket. */

import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { onAbort } from '@wherry/bytes';
import {
  type ContainerConfig,
  ContainerEventType,
  ContainerState,
  type ContainerStatus,
  CriError,
  createCriServer,
  NamespaceMode,
  type PodSandboxConfig,
  PodSandboxState,
  type PodSandboxStatus,
  type RuntimeServiceHandlers,
} from '@wherry/cri';

interface MemorySandbox {
  config: PodSandboxConfig;
  status: PodSandboxStatus;
}

interface MemoryContainer {
  config: ContainerConfig;
  sandboxId: string;
  status: ContainerStatus;
}

const nowNs = () => BigInt(Math.round((performance.timeOrigin + performance.now()) * 1e6));

/** Pods in memory; `calls` lists what was asked of them. */
export class MemoryRuntime {
  readonly sandboxes = new Map<string, MemorySandbox>();
  readonly containers = new Map<string, MemoryContainer>();
  readonly calls: string[] = [];
  /** Images that were asked for. */
  readonly pulls: string[] = [];
  readonly #server: ReturnType<typeof createCriServer>;
  readonly #listeners = new Set<(id: string) => void>();
  /** What a pull of an image waits for. */
  pull: Promise<void> = Promise.resolve();
  /** What commands in containers wait for. */
  command: Promise<void> = Promise.resolve();
  /** How many more sandboxes can't be made. */
  sandboxFailures = 0;
  /** Why no container can be started. */
  startFailure: string | undefined;
  readonly #statusDelayMs: number;
  #ids = 0;

  /** `statusDelayMs`: time the runtime takes to say how it is, 0 unless told. */
  constructor(options: { events: boolean; statusDelayMs?: number }) {
    this.#statusDelayMs = options.statusDelayMs ?? 0;
    const runtime = this.#handlers();
    if (!options.events) delete runtime.getContainerEvents;
    this.#server = createCriServer({
      runtime,
      images: {
        listImages: async () => ({ images: [] }),
        pullImage: async ({ image }) => {
          this.pulls.push(image?.image ?? '');
          await this.pull;
          return { imageRef: 'sha256:1' };
        },
        imageStatus: async () => ({ image: { id: 'sha256:1', size: 1 } }),
      },
    });
  }

  listen(socketPath: string): Promise<void> {
    return this.#server.listen(socketPath);
  }

  close(): Promise<void> {
    return this.#server.close(50);
  }

  /** The containers of that name, the oldest first. */
  named(name: string): MemoryContainer[] {
    return [...this.containers.values()].filter(({ config }) => config.metadata?.name === name);
  }

  /** Ends a container as if its process had exited. */
  exit(id: string, exitCode: number): void {
    const { status } = this.#container(id);
    status.state = ContainerState.CONTAINER_EXITED;
    status.exitCode = exitCode;
    status.reason = exitCode === 0 ? 'Completed' : 'Error';
    status.finishedAt = nowNs();
    for (const listener of this.#listeners) listener(id);
  }

  #nextNumber(): number {
    this.#ids += 1;
    return this.#ids;
  }

  #container(id: string): MemoryContainer {
    const found = this.containers.get(id);
    if (!found) throw new CriError('NOT_FOUND', `container "${id}" is not known`);
    return found;
  }

  #sandbox(id: string): MemorySandbox {
    const found = this.sandboxes.get(id);
    if (!found) throw new CriError('NOT_FOUND', `sandbox "${id}" is not known`);
    return found;
  }

  #handlers(): RuntimeServiceHandlers {
    return {
      version: async () => ({ version: '0.1.0', runtimeName: 'memory', runtimeVersion: '1' }),
      status: async () => {
        await new Promise((resolve) => setTimeout(resolve, this.#statusDelayMs));
        return {
          status: {
            conditions: [
              { type: 'RuntimeReady', status: true },
              { type: 'NetworkReady', status: true },
            ],
          },
        };
      },
      runPodSandbox: async ({ config }) => {
        if (this.sandboxFailures > 0) {
          this.sandboxFailures -= 1;
          this.calls.push('runPodSandbox failed');
          throw new CriError('UNKNOWN', 'the network plug-in does not answer');
        }
        const podSandboxId = this.#addSandbox(config as PodSandboxConfig);
        return { podSandboxId };
      },
      stopPodSandbox: async ({ podSandboxId }) => {
        this.calls.push(`stopPodSandbox ${podSandboxId}`);
        this.#sandbox(podSandboxId).status.state = PodSandboxState.SANDBOX_NOTREADY;
        return {};
      },
      removePodSandbox: async ({ podSandboxId }) => {
        this.sandboxes.delete(podSandboxId);
        return {};
      },
      podSandboxStatus: async ({ podSandboxId }) => ({ status: this.#sandbox(podSandboxId).status }),
      listPodSandbox: async ({ filter }) => ({
        items: [...this.sandboxes.values()]
          .map(({ status }) => status)
          .filter(({ labels }) => matches(labels, filter?.labelSelector)),
      }),
      // It measures none of its pods.
      listPodSandboxStats: async () => ({ stats: [] }),
      createContainer: async ({ podSandboxId, config, sandboxConfig }) => ({
        containerId: this.#addContainer(
          podSandboxId,
          config as ContainerConfig,
          sandboxConfig as PodSandboxConfig,
        ),
      }),
      startContainer: async ({ containerId }) => {
        this.calls.push(`startContainer ${containerId}`);
        if (this.startFailure !== undefined) throw new CriError('UNKNOWN', this.startFailure);
        const { status } = this.#container(containerId);
        status.state = ContainerState.CONTAINER_RUNNING;
        status.startedAt = nowNs();
        await mkdir(dirname(status.logPath), { recursive: true });
        await writeFile(
          status.logPath,
          `2026-01-01T00:00:00.000000000Z stdout F hello from ${containerId}\n`,
        );
        return {};
      },
      stopContainer: async ({ containerId, timeout }) => {
        this.calls.push(`stopContainer ${containerId} ${timeout}`);
        if (this.#container(containerId).status.state === ContainerState.CONTAINER_RUNNING)
          this.exit(containerId, 143);
        return {};
      },
      execSync: async () => {
        await this.command;
        return { exitCode: 0 };
      },
      checkpointContainer: async ({ containerId, location, timeout }) => {
        this.calls.push(`checkpointContainer ${containerId} ${timeout}`);
        await writeFile(location ?? '', 'state');
        return {};
      },
      removeContainer: async ({ containerId }) => {
        this.containers.delete(containerId);
        return {};
      },
      listContainers: async ({ filter }) => ({
        containers: [...this.containers.values()]
          .filter(({ config }) => matches(config.labels, filter?.labelSelector))
          .filter(({ status }) => filter?.state === undefined || filter.state.state === status.state)
          .map(({ status, sandboxId }) => ({ ...status, podSandboxId: sandboxId })),
      }),
      containerStatus: async ({ containerId }) => ({ status: this.#container(containerId).status }),
      getContainerEvents: (_request, { signal }) => this.#events(signal),
    };
  }

  #addSandbox(config: PodSandboxConfig): string {
    const id = `sandbox-${this.#nextNumber()}`;
    const { network = NamespaceMode.POD } = config.linux?.securityContext?.namespaceOptions ?? {};
    const options = { network, ipc: NamespaceMode.POD, pid: NamespaceMode.CONTAINER, targetId: '' };
    const status: PodSandboxStatus = {
      id,
      metadata: config.metadata,
      state: PodSandboxState.SANDBOX_READY,
      createdAt: nowNs(),
      network: { ip: `10.0.0.${this.#ids}`, additionalIps: [] },
      linux: { namespaces: { options } },
      labels: config.labels,
      annotations: config.annotations,
      runtimeHandler: '',
    };
    this.sandboxes.set(id, { config, status });
    this.calls.push(`runPodSandbox ${id}`);
    return id;
  }

  #addContainer(sandboxId: string, config: ContainerConfig, sandbox: PodSandboxConfig): string {
    const id = `container-${this.#nextNumber()}`;
    const status: ContainerStatus = {
      id,
      metadata: config.metadata,
      state: ContainerState.CONTAINER_CREATED,
      createdAt: nowNs(),
      startedAt: 0n,
      finishedAt: 0n,
      exitCode: 0,
      image: config.image,
      imageRef: 'demo@sha256:1',
      imageId: 'sha256:1',
      reason: '',
      message: '',
      labels: config.labels,
      annotations: config.annotations,
      mounts: config.mounts,
      logPath: join(sandbox.logDirectory, config.logPath),
      stopSignal: 0,
    };
    this.containers.set(id, { config, sandboxId, status });
    this.calls.push(`createContainer ${id}`);
    return id;
  }

  async *#events(signal: AbortSignal) {
    const queue: string[] = [];
    let wake = () => {};
    const listener = (id: string) => {
      queue.push(id);
      wake();
    };
    this.#listeners.add(listener);
    onAbort(signal, () => wake());
    try {
      while (!signal.aborted) {
        for (let id = queue.shift(); id; id = queue.shift()) {
          const { status, sandboxId } = this.#container(id);
          yield {
            containerId: id,
            containerEventType: ContainerEventType.CONTAINER_STOPPED_EVENT,
            createdAt: nowNs(),
            podSandboxStatus: this.#sandbox(sandboxId).status,
            containersStatuses: [status],
          };
        }
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    } finally {
      this.#listeners.delete(listener);
    }
  }
}

function matches(labels: Record<string, string>, selector: Record<string, string> | undefined): boolean {
  return Object.entries(selector ?? {}).every(([name, value]) => labels[name] === value);
}

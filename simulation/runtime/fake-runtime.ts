import { onAbort } from '@wherry/bytes';
import type { Clock, Timer } from '@wherry/clock';
import {
  type Container,
  type ContainerConfig,
  type ContainerEventResponse,
  ContainerEventType,
  ContainerState,
  CriError,
  type Input,
  type PodSandboxConfig,
  PodSandboxState,
} from '@wherry/cri';
import type { Program } from './program.ts';

/** A container of the fake runtime, with its process. */
export interface FakeContainer {
  id: string;
  sandboxId: string;
  config: ContainerConfig;
  program: Program;
  state: ContainerState;
  createdAt: bigint;
  startedAt: bigint;
  finishedAt: bigint;
  exitCode: number;
}

/** A sandbox of the fake runtime. */
export interface FakeSandbox {
  id: string;
  config: PodSandboxConfig;
  isReady: boolean;
  createdAt: bigint;
}

/** A CRI runtime without processes: what it holds outlives every kubelet. */
export class FakeRuntime {
  readonly sandboxes = new Map<string, FakeSandbox>();
  readonly containers = new Map<string, FakeContainer>();
  readonly clock: Clock;
  readonly images = new Set<string>();
  readonly #exits = new Map<string, Timer>();
  readonly #readers = new Set<(event: Input<ContainerEventResponse>) => void>();
  #ids = 0;
  #lastStamp = 0n;
  /** Told of each process that begins. */
  onStarted: (container: FakeContainer) => void = () => {};

  constructor(clock: Clock) {
    this.clock = clock;
  }

  /** Containers whose process runs. */
  get running(): FakeContainer[] {
    return [...this.containers.values()].filter(({ state }) => state === ContainerState.CONTAINER_RUNNING);
  }

  /** Ends a container's process from outside. */
  exit(id: string, exitCode: number): void {
    const container = this.containers.get(id);
    if (container?.state !== ContainerState.CONTAINER_RUNNING) return;
    this.#exits.get(id)?.cancel();
    this.#exits.delete(id);
    container.state = ContainerState.CONTAINER_EXITED;
    container.exitCode = exitCode;
    container.finishedAt = this.stamp();
    this.tell(container, ContainerEventType.CONTAINER_STOPPED_EVENT);
  }

  /** Ends it by itself, later. */
  exitAfter(id: string, delayMs: number, exitCode: number): void {
    this.#exits.set(
      id,
      this.clock.after(delayMs, () => this.exit(id, exitCode)),
    );
  }

  /** The machine was restarted: nothing runs any more, the records stay. */
  loseSandboxes(): void {
    for (const { id } of this.running) this.exit(id, 137);
    for (const sandbox of this.sandboxes.values()) sandbox.isReady = false;
  }

  /** Nanoseconds that never repeat, as a runtime's stamps are told apart. */
  stamp(): bigint {
    const now = BigInt(Math.round(this.clock.nowMs())) * 1_000_000n;
    this.#lastStamp = now > this.#lastStamp ? now : this.#lastStamp + 1n;
    return this.#lastStamp;
  }

  /** An id that none had before. */
  newId(): string {
    return String(++this.#ids).padStart(64, '0');
  }

  /** Throws NOT_FOUND. */
  sandbox(id: string): FakeSandbox {
    const sandbox = this.sandboxes.get(id);
    if (!sandbox) throw new CriError('NOT_FOUND', `no sandbox "${id}"`);
    return sandbox;
  }

  /** Throws NOT_FOUND. */
  container(id: string): FakeContainer {
    const container = this.containers.get(id);
    if (!container) throw new CriError('NOT_FOUND', `no container "${id}"`);
    return container;
  }

  /** Its containers, the oldest first. */
  ofSandbox(id: string): FakeContainer[] {
    return [...this.containers.values()].filter(({ sandboxId }) => sandboxId === id);
  }

  /** Tells everybody who reads events. */
  tell(container: FakeContainer, containerEventType: ContainerEventType): void {
    const sandbox = this.sandboxes.get(container.sandboxId);
    if (!sandbox) return;
    const event = {
      containerId: container.id,
      containerEventType,
      createdAt: this.stamp(),
      ...this.podStatus(sandbox),
    };
    for (const reader of [...this.#readers]) reader(event);
  }

  /** A pod as events and statuses show it. */
  podStatus(sandbox: FakeSandbox) {
    return {
      podSandboxStatus: this.sandboxStatus(sandbox),
      containersStatuses: this.ofSandbox(sandbox.id).map((container) => statusOf(container)),
    };
  }

  /** A sandbox as lists and statuses show it. */
  sandboxStatus({ id, config, isReady, createdAt }: FakeSandbox) {
    const state = isReady ? PodSandboxState.SANDBOX_READY : PodSandboxState.SANDBOX_NOTREADY;
    const network = { ip: isReady ? `10.88.0.${(Number(id) % 250) + 1}` : '', additionalIps: [] };
    const { metadata, labels, annotations } = config;
    return { id, metadata, state, createdAt, network, labels, annotations };
  }

  /** Ends and forgets a container; nothing there is fine. */
  remove(id: string): void {
    const container = this.containers.get(id);
    if (!container) return;
    this.exit(id, 137);
    this.containers.delete(id);
  }

  /** A runtime reserves names: of one attempt there is one. */
  refuseTwins(
    config: { metadata?: { name: string; attempt: number; uid?: string } | undefined },
    others: (typeof config)[],
  ): void {
    const nameOf = ({ metadata }: typeof config) =>
      `${metadata?.name}/${metadata?.uid ?? ''}/${metadata?.attempt}`;
    if (others.some((other) => nameOf(other) === nameOf(config)))
      throw new CriError('ALREADY_EXISTS', `the name "${nameOf(config)}" is taken`);
  }

  /** Events from now on. */
  async *events(signal: AbortSignal): AsyncGenerator<Input<ContainerEventResponse>> {
    const queue: Input<ContainerEventResponse>[] = [];
    let wake = () => {};
    const reader = (event: Input<ContainerEventResponse>) => {
      queue.push(event);
      wake();
    };
    this.#readers.add(reader);
    const leave = onAbort(signal, () => wake());
    try {
      while (!signal.aborted) {
        const next = queue.shift();
        if (next) yield next;
        else
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
      }
    } finally {
      leave();
      this.#readers.delete(reader);
    }
  }
}

/** Whether all wanted labels are there. */
export function hasLabels(
  labels: Readonly<Record<string, string>>,
  wanted: Readonly<Record<string, string>> = {},
): boolean {
  return Object.entries(wanted).every(([key, value]) => labels[key] === value);
}

/** A container as lists show it. */
export function containerOf(container: FakeContainer): Input<Container> {
  const { id, sandboxId, config, state, createdAt } = container;
  const { metadata, image, labels, annotations } = config;
  return {
    id,
    podSandboxId: sandboxId,
    metadata,
    image,
    imageRef: image?.image,
    imageId: image?.image,
    state,
    createdAt,
    labels,
    annotations,
  };
}

/** A container in full. */
export function statusOf(container: FakeContainer) {
  const { startedAt, finishedAt, exitCode, state } = container;
  const isOver = state === ContainerState.CONTAINER_EXITED;
  const reason = isOver ? (exitCode === 0 ? 'Completed' : 'Error') : '';
  return { ...containerOf(container), startedAt, finishedAt, exitCode, reason, mounts: [] };
}

import {
  ContainerState,
  type ContainerStatus,
  type CriClient,
  isCriError,
  PodSandboxState,
} from '@wherry/cri';
import { isSidecar } from '@wherry/podrules';
import { containerNameOf, type PodRecord } from '../../observation/pod-record.ts';
import type { AssignedPod } from '../../pod/assigned-pod.ts';
import { findContainer, type PodContainer } from '../../pod/containers.ts';
import { restoredContainer } from '../../pod/labels.ts';
import type { ContainerKiller } from '../container/container-killer.ts';

/** A pod to stop. */
export interface PodKill {
  pod: AssignedPod;
  record: PodRecord;
  /** Seconds from now until the pod must be gone. */
  graceSeconds: number;
  signal: AbortSignal;
}

/**
 * Stops whole pods: all hooks at once, then regular containers together, then sidecars from the last to the first as long as
 * there is grace, then the sandboxes.
 */
export class PodKiller {
  readonly #runtime: CriClient['runtime'];
  readonly #killer: ContainerKiller;

  constructor(options: { runtime: CriClient['runtime']; killer: ContainerKiller }) {
    this.#runtime = options.runtime;
    this.#killer = options.killer;
  }

  /** Resolves when every container and sandbox of the pod has stopped. Throws the first failure after trying all. */
  async kill(request: PodKill): Promise<void> {
    const live = request.record.containers.filter(({ state }) => state !== ContainerState.CONTAINER_EXITED);
    const order = sidecarNames(request.pod);
    const rankOf = (status: ContainerStatus) => {
      const rank = order.indexOf(containerNameOf(status));
      return rank < 0 ? order.length : rank;
    };
    const stops: { rank: number; stop: Promise<void> }[] = [];
    for (const status of live.toSorted((a, b) => rankOf(b) - rankOf(a))) {
      const rank = rankOf(status);
      const before = stops.filter((other) => other.rank > rank).map(({ stop }) => stop);
      stops.push({ rank, stop: this.#stop(request, status, before) });
    }
    await throwFirst(stops.map(({ stop }) => stop));
    await throwFirst(
      request.record.sandboxes.map(({ id, state }) => this.#stopSandbox(id, state, request.signal)),
    );
  }

  /** Stops one container, once the others before it have stopped. */
  #stop(request: PodKill, status: ContainerStatus, before: readonly Promise<void>[]): Promise<void> {
    const { pod, signal, graceSeconds } = request;
    const target = containerOf(pod, status);
    return this.#killer.kill({
      ...{ pod, target, containerId: status.id, message: `Stopping container ${target.container.name}` },
      ...{ graceSeconds, podIp: request.record.sandboxes[0]?.network?.ip ?? '', signal },
      ...(before.length > 0 && { turn: Promise.allSettled(before) }),
    });
  }

  async #stopSandbox(podSandboxId: string, state: PodSandboxState, signal: AbortSignal): Promise<void> {
    if (state !== PodSandboxState.SANDBOX_READY) return;
    try {
      await this.#runtime.stopPodSandbox({ podSandboxId }, { signal });
    } catch (error) {
      if (!isCriError(error, 'NOT_FOUND')) throw error;
    }
  }
}

function sidecarNames(pod: AssignedPod): string[] {
  return (pod.spec.initContainers ?? []).filter(isSidecar).map(({ name }) => name);
}

/** The pod's container that a record belongs to; one that is no longer in the spec is rebuilt from its annotations. */
export function containerOf(pod: AssignedPod, status: ContainerStatus): PodContainer {
  const name = containerNameOf(status);
  return (
    findContainer(pod, name) ?? { kind: 'regular', container: restoredContainer(name, status.annotations) }
  );
}

/** Waits for all of them: what goes on behind a failure would be begun a second time. Throws the first failure. */
export async function throwFirst(tasks: readonly Promise<void>[]): Promise<void> {
  const results = await Promise.allSettled(tasks);
  for (const result of results) if (result.status === 'rejected') throw result.reason;
}

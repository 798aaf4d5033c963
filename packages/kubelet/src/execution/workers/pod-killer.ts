import type { Clock } from '@wherry/clock';
import {
  ContainerState,
  type ContainerStatus,
  type CriClient,
  isCriError,
  PodSandboxState,
} from '@wherry/cri';
import type { Container, LifecycleHandler } from '@wherry/kubeapi';
import { isSidecar } from '@wherry/podrules';
import { containerNameOf, type PodRecord } from '../../observation/pod-record.ts';
import type { AssignedPod } from '../../pod/assigned-pod.ts';
import { findContainer, type PodContainer } from '../../pod/containers.ts';
import { containerAnnotations } from '../../pod/labels.ts';
import type { ContainerKiller } from '../container/container-killer.ts';

/** A pod to stop. */
export interface PodKill {
  pod: AssignedPod;
  record: PodRecord;
  /** Seconds from now until the pod must be gone. */
  graceSeconds: number;
  signal: AbortSignal;
}

/** Stops whole pods: regular containers together, then sidecars from the last to the first, then the sandboxes. */
export class PodKiller {
  readonly #runtime: CriClient['runtime'];
  readonly #clock: Clock;
  readonly #killer: ContainerKiller;

  constructor(options: { runtime: CriClient['runtime']; clock: Clock; killer: ContainerKiller }) {
    this.#runtime = options.runtime;
    this.#clock = options.clock;
    this.#killer = options.killer;
  }

  /** Resolves when every container and sandbox of the pod has stopped. Throws the first failure after trying all. */
  async kill(request: PodKill): Promise<void> {
    const deadlineMs = this.#clock.monotonicMs() + request.graceSeconds * 1_000;
    const live = request.record.containers.filter(({ state }) => state !== ContainerState.CONTAINER_EXITED);
    const order = sidecarNames(request.pod);
    const rankOf = (status: ContainerStatus) => order.indexOf(containerNameOf(status));
    await this.#stopAll(
      request,
      live.filter((status) => rankOf(status) < 0),
      deadlineMs,
    );
    for (const name of order.toReversed()) {
      const sidecars = live.filter((status) => containerNameOf(status) === name);
      await this.#stopAll(request, sidecars, deadlineMs);
    }
    await throwFirst(
      request.record.sandboxes.map(({ id, state }) => this.#stopSandbox(id, state, request.signal)),
    );
  }

  #stopAll(request: PodKill, containers: readonly ContainerStatus[], deadlineMs: number): Promise<void> {
    const leftSeconds = Math.ceil((deadlineMs - this.#clock.monotonicMs()) / 1_000);
    const graceSeconds = Math.max(0, Math.min(request.graceSeconds, leftSeconds));
    const podIp = request.record.sandboxes[0]?.network?.ip ?? '';
    return throwFirst(
      containers.map((status) => {
        const target = containerOf(request.pod, status);
        const subject = target.kind === 'init' ? 'Stopping init container' : 'Stopping container';
        const message = `${subject} ${target.container.name}`;
        const { pod, signal } = request;
        return this.#killer.kill({
          pod,
          target,
          containerId: status.id,
          message,
          graceSeconds,
          podIp,
          signal,
        });
      }),
    );
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
  const found = findContainer(pod, name);
  if (found) return found;
  const preStop = status.annotations[containerAnnotations.preStopHandler];
  const container: Container = { name };
  if (preStop) container.lifecycle = { preStop: JSON.parse(preStop) as LifecycleHandler };
  return { kind: 'regular', container };
}

async function throwFirst(tasks: Promise<void>[]): Promise<void> {
  const results = await Promise.allSettled(tasks);
  for (const result of results) if (result.status === 'rejected') throw result.reason;
}

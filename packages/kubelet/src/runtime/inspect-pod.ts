import type { Clock } from '@wherry/clock';
import { ContainerState, type ContainerStatus, type CriClient, isCriError } from '@wherry/cri';
import { containerLabels } from './labels.ts';
import { emptyPodRecord, type PodRecord } from './pod-record.ts';
import { terminationMessage } from './termination-message.ts';

const newestFirst = (a: { createdAt: bigint }, b: { createdAt: bigint }) =>
  a.createdAt < b.createdAt ? 1 : -1;

/** Asks the runtime for pods one at a time. Messages of ended containers are read once and remembered. */
export class PodInspector {
  readonly #runtime: CriClient['runtime'];
  readonly #clock: Clock;
  readonly #podLogsDir: string;
  readonly #messages = new Map<string, string>();

  constructor(options: { runtime: CriClient['runtime']; clock: Clock; podLogsDir: string }) {
    this.#runtime = options.runtime;
    this.#clock = options.clock;
    this.#podLogsDir = options.podLogsDir;
  }

  /** Everything the runtime holds of the pod. Throws CriError. */
  async inspect(uid: string, signal?: AbortSignal): Promise<PodRecord> {
    const observedMs = this.#clock.monotonicMs();
    const filter = { labelSelector: { [containerLabels.podUid]: uid } };
    const [{ items }, { containers }] = await Promise.all([
      this.#runtime.listPodSandbox({ filter }, { signal }),
      this.#runtime.listContainers({ filter }, { signal }),
    ]);
    const [sandboxes, statuses] = await Promise.all([
      Promise.all(items.map(({ id }) => this.#sandbox(id, signal))),
      Promise.all(containers.map(({ id }) => this.#container(id, signal))),
    ]);
    const [first] = items;
    const record = {
      ...emptyPodRecord(uid, observedMs),
      name: first?.metadata?.name ?? containers[0]?.labels[containerLabels.podName] ?? '',
      namespace: first?.metadata?.namespace ?? containers[0]?.labels[containerLabels.podNamespace] ?? '',
      sandboxes: sandboxes.filter((status) => status !== undefined).sort(newestFirst),
      containers: statuses.filter((status) => status !== undefined).sort(newestFirst),
    };
    return { ...record, containers: await this.#withMessages(record) };
  }

  /** Forgets the messages of containers that are gone. */
  forget(containerIds: Iterable<string>): void {
    for (const id of containerIds) this.#messages.delete(id);
  }

  #sandbox(podSandboxId: string, signal?: AbortSignal) {
    return this.#runtime
      .podSandboxStatus({ podSandboxId }, { signal })
      .then(({ status }) => status, ignoreNotFound);
  }

  #container(containerId: string, signal?: AbortSignal) {
    return this.#runtime
      .containerStatus({ containerId }, { signal })
      .then(({ status }) => status, ignoreNotFound);
  }

  async #withMessages(record: PodRecord): Promise<ContainerStatus[]> {
    const podLogDir = `${this.#podLogsDir}/${record.namespace}_${record.name}_${record.uid}`;
    const names = new Set(record.containers.map(({ metadata }) => metadata?.name));
    return Promise.all(
      record.containers.map(async (status) => {
        if (status.state !== ContainerState.CONTAINER_EXITED) return status;
        let message = this.#messages.get(status.id);
        if (message === undefined) {
          message = await terminationMessage(status, { podLogDir, containersInPod: names.size });
          this.#messages.set(status.id, message);
        }
        return { ...status, message };
      }),
    );
  }
}

function ignoreNotFound(error: unknown): undefined {
  if (!isCriError(error, 'NOT_FOUND')) throw error;
  return undefined;
}

import type { Clock } from '@wherry/clock';
import {
  ContainerState,
  type ContainerStatus,
  type CriClient,
  isCriError,
  type PodSandboxStatus,
} from '@wherry/cri';
import type { NodePaths } from '../ground/node-paths.ts';
import { containerLabels } from '../pod/labels.ts';
import { emptyPodRecord, type PodRecord } from './pod-record.ts';
import { terminationMessage } from './termination-message.ts';

interface Made {
  id: string;
  createdAt: bigint;
}

const newestFirst = (a: Made, b: Made) =>
  a.createdAt === b.createdAt ? (a.id < b.id ? -1 : 1) : a.createdAt < b.createdAt ? 1 : -1;

/** The last attempt first, whatever the machine's clock did since the one before. */
const lastAttemptFirst = (a: PodSandboxStatus, b: PodSandboxStatus) =>
  (b.metadata?.attempt ?? 0) - (a.metadata?.attempt ?? 0) || newestFirst(a, b);

/** Asks the runtime for pods one at a time. Messages of ended containers are read once and remembered as long as it has them. */
export class PodInspector {
  readonly #runtime: CriClient['runtime'];
  readonly #clock: Clock;
  readonly #paths: NodePaths;
  /** By pod and container. */
  readonly #messages = new Map<string, ReadonlyMap<string, string>>();

  constructor(options: { runtime: CriClient['runtime']; clock: Clock; paths: NodePaths }) {
    this.#runtime = options.runtime;
    this.#clock = options.clock;
    this.#paths = options.paths;
  }

  /** Everything the runtime holds of the pod. Throws CriError. */
  async inspect(uid: string, signal?: AbortSignal): Promise<PodRecord> {
    const empty = emptyPodRecord(uid, this.#clock);
    const filter = { labelSelector: { [containerLabels.podUid]: uid } };
    const { items } = await this.#runtime.listPodSandbox({ filter }, { signal });
    const answers = await Promise.all(items.map(({ id }) => this.#sandbox(id, signal)));
    const known = answers.filter((answer) => answer !== undefined);
    // A runtime with an event stream stamps its answers and puts the containers in; others are asked for them.
    const isComplete = known.length > 0 && known.every(({ timestamp }) => timestamp > 0n);
    const containers = isComplete
      ? known.flatMap(({ containersStatuses }) => containersStatuses)
      : await this.#containers(filter, signal);
    const [first] = items;
    const record = {
      ...empty,
      name: first?.metadata?.name ?? containers[0]?.labels[containerLabels.podName] ?? '',
      namespace: first?.metadata?.namespace ?? containers[0]?.labels[containerLabels.podNamespace] ?? '',
      sandboxes: known.flatMap(({ status }) => (status ? [status] : [])).sort(lastAttemptFirst),
      containers: [...containers].sort(newestFirst),
    };
    return { ...record, containers: await this.#withMessages(record) };
  }

  /** Forgets the messages of a pod's containers. */
  forget(uid: string): void {
    this.#messages.delete(uid);
  }

  #sandbox(podSandboxId: string, signal?: AbortSignal) {
    return this.#runtime.podSandboxStatus({ podSandboxId }, { signal }).catch(ignoreNotFound);
  }

  async #containers(filter: { labelSelector: Record<string, string> }, signal?: AbortSignal) {
    const { containers } = await this.#runtime.listContainers({ filter }, { signal });
    const answers = await Promise.all(
      containers.map(({ id }) =>
        this.#runtime.containerStatus({ containerId: id }, { signal }).catch(ignoreNotFound),
      ),
    );
    return answers.flatMap((answer) => (answer?.status ? [answer.status] : []));
  }

  async #withMessages(record: PodRecord): Promise<ContainerStatus[]> {
    const { podLogsDir, podsDir } = this.#paths;
    const podLogDir = `${podLogsDir}/${record.namespace}_${record.name}_${record.uid}`;
    const names = new Set(record.containers.map(({ metadata }) => metadata?.name));
    const known = this.#messages.get(record.uid);
    const messages = new Map<string, string>();
    const containers = await Promise.all(
      record.containers.map(async (status) => {
        if (status.state !== ContainerState.CONTAINER_EXITED) return status;
        const place = { podLogDir, podsDir, containersInPod: names.size };
        const message = known?.get(status.id) ?? (await terminationMessage(status, place));
        messages.set(status.id, message);
        return { ...status, message };
      }),
    );
    if (messages.size > 0) this.#messages.set(record.uid, messages);
    else this.#messages.delete(record.uid);
    return containers;
  }
}

function ignoreNotFound(error: unknown): undefined {
  if (!isCriError(error, 'NOT_FOUND')) throw error;
  return undefined;
}

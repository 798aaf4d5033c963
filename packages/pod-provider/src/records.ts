import { type ContainerFilter, CriError, type PodSandboxFilter } from '@wherry/cri';
import type { ContainerRecord } from './container/container-record.ts';
import { limits } from './limits.ts';
import type { SandboxRecord } from './sandbox-record.ts';

/** All pods and containers that there are. They live as long as this process. */
export class Records {
  readonly #sandboxes = new Map<string, SandboxRecord>();
  readonly #containers = new Map<string, ContainerRecord>();

  addSandbox(sandbox: SandboxRecord): void {
    if (this.#sandboxes.size >= limits.sandboxesMax)
      throw new CriError('RESOURCE_EXHAUSTED', `there are ${limits.sandboxesMax} pod sandboxes: remove some`);
    this.#sandboxes.set(sandbox.pod.id, sandbox);
  }

  addContainer(container: ContainerRecord): void {
    if (this.#containers.size >= limits.containersMax)
      throw new CriError('RESOURCE_EXHAUSTED', `there are ${limits.containersMax} containers: remove some`);
    this.#containers.set(container.id, container);
  }

  /** Throws `CriError` NOT_FOUND. */
  sandbox(id: string): SandboxRecord {
    const found = this.#sandboxes.get(id);
    if (!found) throw new CriError('NOT_FOUND', `pod sandbox "${id}" is not there`);
    return found;
  }

  /** Throws `CriError` NOT_FOUND. */
  container(id: string): ContainerRecord {
    const found = this.#containers.get(id);
    if (!found) throw new CriError('NOT_FOUND', `container "${id}" is not there`);
    return found;
  }

  findSandbox(id: string): SandboxRecord | undefined {
    return this.#sandboxes.get(id);
  }

  findContainer(id: string): ContainerRecord | undefined {
    return this.#containers.get(id);
  }

  containersOf(sandboxId: string): ContainerRecord[] {
    return [...this.#containers.values()].filter(({ pod }) => pod.id === sandboxId);
  }

  sandboxes(filter?: PodSandboxFilter): SandboxRecord[] {
    return [...this.#sandboxes.values()].filter(
      ({ pod, state }) =>
        isWanted(pod.id, filter?.id) &&
        (filter?.state === undefined || filter.state.state === state) &&
        matches(pod.labels, filter?.labelSelector),
    );
  }

  containers(filter?: ContainerFilter): ContainerRecord[] {
    return [...this.#containers.values()].filter(
      ({ id, pod, state, config }) =>
        isWanted(id, filter?.id) &&
        isWanted(pod.id, filter?.podSandboxId) &&
        (filter?.state === undefined || filter.state.state === state) &&
        matches(config.labels, filter?.labelSelector),
    );
  }

  removeSandbox(id: string): void {
    this.#sandboxes.delete(id);
  }

  removeContainer(id: string): void {
    this.#containers.delete(id);
  }
}

/** An empty id wants all, as everywhere in CRI; otherwise its beginning will do. */
const isWanted = (id: string, wanted = '') => id.startsWith(wanted);

const matches = (labels: Readonly<Record<string, string>>, selector: Readonly<Record<string, string>> = {}) =>
  Object.entries(selector).every(([name, value]) => Object.hasOwn(labels, name) && labels[name] === value);

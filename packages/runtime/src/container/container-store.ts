import { readFile } from 'node:fs/promises';
import { onAbort } from '@wherry/bytes';
import { RuntimeError } from '../errors.ts';
import type { OciSpec } from '../spec/oci-spec.ts';
import { byId } from '../state/by-id.ts';
import { Names } from '../state/names.ts';
import { RecordFolder } from '../state/record-folder.ts';
import { type Container, decodeContainer, encodeContainer } from './container-record.ts';

/** The file that the OCI runtime reads. */
export const bundleFile = 'config.json';

/** The containers of this node, in memory and on disk. Reading never waits. */
export class ContainerStore {
  readonly folder: RecordFolder;
  readonly names = new Names();
  readonly #containers = new Map<string, Container>();
  readonly #bySandbox = new Map<string, Set<string>>();
  readonly #waiters = new Map<string, Set<() => void>>();

  constructor(root: string) {
    this.folder = new RecordFolder(root);
  }

  /** Reads the records; answers folders that have none. */
  open(): string[] {
    const { items, orphans } = this.folder.read(decodeContainer);
    for (const container of items.sort((a, b) => (a.createdAtNs < b.createdAtNs ? -1 : 1))) {
      this.#remember(container);
      this.names.hold(containerName(container), container.id);
    }
    return orphans;
  }

  /** What the OCI runtime was told of a container. Rejects once it is removed. */
  async specOf({ id }: Container): Promise<OciSpec> {
    return JSON.parse(await readFile(this.folder.path(id, bundleFile), 'utf8')) as OciSpec;
  }

  /** All containers, oldest first. */
  list(): Container[] {
    return [...this.#containers.values()];
  }

  /** Keys of the image layers under containers and their image volumes. */
  layersInUse(): string[] {
    return this.list().flatMap(({ layerKeys, imageVolumes }) => [
      ...layerKeys,
      ...imageVolumes.flatMap((volume) => volume.layerKeys),
    ]);
  }

  /** The containers of one sandbox. */
  ofSandbox(sandboxId: string): Container[] {
    return [...(this.#bySandbox.get(sandboxId) ?? [])].flatMap((id) => this.#containers.get(id) ?? []);
  }

  /** A container by id or by the beginning of its id. Throws `RuntimeError` INVALID_ARGUMENT where several begin so. */
  get(id: string): Container | undefined {
    return byId(this.#containers, id, 'containers');
  }

  /** As {@link get}. Throws `RuntimeError` NOT_FOUND, too. */
  find(id: string): Container {
    const container = this.get(id);
    if (!container) throw new RuntimeError('NOT_FOUND', `there is no container "${id}"`);
    return container;
  }

  /** Adds or changes a container: on disk first, then in sight. */
  put(container: Container): void {
    this.folder.write(container.id, encodeContainer(container));
    this.#remember(container);
    if (hasEnded(container)) this.#wake(container.id);
  }

  /** Changes some fields of a container that is still there; answers it as it is now. */
  update(id: string, change: Partial<Container>): Container | undefined {
    const container = this.#containers.get(id);
    if (!container) return undefined;
    const changed = { ...container, ...change };
    this.put(changed);
    return changed;
  }

  /** Forgets a container and removes its folder, which must hold no mounts any more. */
  async remove(container: Container): Promise<void> {
    const removed = this.folder.remove(container.id);
    this.#containers.delete(container.id);
    this.#bySandbox.get(container.sandboxId)?.delete(container.id);
    if (this.#bySandbox.get(container.sandboxId)?.size === 0) this.#bySandbox.delete(container.sandboxId);
    this.names.release(containerName(container), container.id);
    this.#wake(container.id);
    await removed;
  }

  /** Resolves when the container has ended or is gone; rejects with the signal's reason. */
  async ended(id: string, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    const container = this.#containers.get(id);
    if (!container || hasEnded(container)) return;
    const waiters = this.#waiters.get(id) ?? new Set();
    this.#waiters.set(id, waiters);
    await new Promise<void>((resolve, reject) => {
      const done = () => {
        waiters.delete(done);
        leave();
        resolve();
      };
      waiters.add(done);
      const leave = onAbort(signal, (reason) => {
        waiters.delete(done);
        reject(reason);
      });
    });
  }

  #wake(id: string): void {
    const waiters = this.#waiters.get(id);
    this.#waiters.delete(id);
    for (const wake of waiters ?? []) wake();
  }

  #remember(container: Container): void {
    this.#containers.set(container.id, container);
    const siblings = this.#bySandbox.get(container.sandboxId) ?? new Set();
    this.#bySandbox.set(container.sandboxId, siblings.add(container.id));
  }
}

/** Whether it runs no more. */
export const hasEnded = ({ state }: Pick<Container, 'state'>): boolean =>
  state === 'exited' || state === 'unknown';

/** What may exist once: name, attempt and sandbox together. */
export function containerName({ config, sandboxId }: Pick<Container, 'config' | 'sandboxId'>): string {
  return `${config.metadata?.name ?? ''}_${config.metadata?.attempt ?? 0}_${sandboxId}`;
}

import { NamespaceMode, type PodSandboxConfig } from '@wherry/cri';
import { RuntimeError } from '../errors.ts';
import { byId } from '../state/by-id.ts';
import { Names } from '../state/names.ts';
import { RecordFolder } from '../state/record-folder.ts';
import { namespaceModes } from './sandbox-files.ts';
import { decodeSandbox, encodeSandbox, type Sandbox } from './sandbox-record.ts';

/** The sandboxes of this node, in memory and on disk. Reading never waits. */
export class SandboxStore {
  readonly folder: RecordFolder;
  readonly names = new Names();
  readonly #sandboxes = new Map<string, Sandbox>();

  constructor(root: string) {
    this.folder = new RecordFolder(root);
  }

  /** Reads the records; answers folders that have none. */
  open(): string[] {
    const { items, orphans } = this.folder.read(decodeSandbox);
    for (const sandbox of items.sort(byAge)) {
      this.#sandboxes.set(sandbox.id, sandbox);
      this.names.hold(sandboxName(sandbox.config), sandbox.id);
    }
    return orphans;
  }

  /** All sandboxes, oldest first. */
  list(): Sandbox[] {
    return [...this.#sandboxes.values()];
  }

  /** A sandbox by id or by the beginning of its id. Throws `RuntimeError` INVALID_ARGUMENT where several begin so. */
  get(id: string): Sandbox | undefined {
    return byId(this.#sandboxes, id, 'pod sandboxes');
  }

  /** As {@link get}. Throws `RuntimeError` NOT_FOUND, too. */
  find(id: string): Sandbox {
    const sandbox = this.get(id);
    if (!sandbox) throw new RuntimeError('NOT_FOUND', `there is no pod sandbox "${id}"`);
    return sandbox;
  }

  /** Adds or changes a sandbox: on disk first, then in sight. */
  put(sandbox: Sandbox): void {
    this.folder.write(sandbox.id, encodeSandbox(sandbox));
    this.#sandboxes.set(sandbox.id, sandbox);
  }

  /** Forgets a sandbox and removes its folder, which must hold no mounts any more. */
  async remove(sandbox: Sandbox): Promise<void> {
    const removed = this.folder.remove(sandbox.id);
    this.#sandboxes.delete(sandbox.id);
    this.names.release(sandboxName(sandbox.config), sandbox.id);
    await removed;
  }
}

const byAge = (a: Sandbox, b: Sandbox) => (a.createdAtNs < b.createdAtNs ? -1 : 1);

/** What may exist once: name, namespace, uid and attempt together. */
export function sandboxName({ metadata }: PodSandboxConfig): string {
  const { name = '', namespace = '', uid = '', attempt = 0 } = metadata ?? {};
  return `${name}_${namespace}_${uid}_${attempt}`;
}

/** Whether the sandbox uses the machine's own network. */
export const isHostNetwork = (config: PodSandboxConfig): boolean =>
  namespaceModes(config).network === NamespaceMode.NODE;

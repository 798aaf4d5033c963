import type { Clock } from '@wherry/clock';
import { File, Folder } from './nodes.ts';

/** The control groups of a machine, as a cgroup v2 file system shows them. */
export class ControlGroups {
  readonly root: Folder;
  readonly #clock: Clock;
  /** Process ids by the folder of their group. */
  readonly #members = new Map<Folder, Set<number>>();
  /** Told of each process that a group's `cgroup.kill` ends. */
  onKill: (pid: number) => void = () => {};

  constructor(clock: Clock) {
    this.#clock = clock;
    this.root = this.#folder();
    this.#fill(this.root);
  }

  /** Paths of all groups but the root. */
  get paths(): string[] {
    const below = (folder: Folder, path: string): string[] =>
      [...folder.entries].flatMap(([name, node]) =>
        node instanceof Folder ? [`${path}/${name}`, ...below(node, `${path}/${name}`)] : [],
      );
    return below(this.root, '');
  }

  /** A process begins in the group of that folder. Gives back how it leaves. */
  join(folder: Folder, pid: number): () => void {
    this.#members.get(folder)?.add(pid);
    return () => this.#members.get(folder)?.delete(pid);
  }

  /** Whether processes are in a group. */
  isBusy(folder: Folder): boolean {
    return (this.#members.get(folder)?.size ?? 0) > 0;
  }

  /** All but the root go. */
  removeAll(): void {
    for (const [name, node] of this.root.entries) if (node instanceof Folder) this.root.entries.delete(name);
  }

  #folder(): Folder {
    return new Folder(0o755, this.#clock.nowMs(), (made) => this.#fill(made));
  }

  #fill(folder: Folder): void {
    const members = new Set<number>();
    this.#members.set(folder, members);
    const nowMs = this.#clock.nowMs();
    const kernel = (name: string, read: () => string, write: (text: string) => void = () => {}) =>
      folder.entries.set(name, new File(0o644, nowMs, { read, write }));
    kernel('cgroup.controllers', () => 'cpu memory pids\n');
    kernel('cgroup.subtree_control', () => 'cpu memory pids\n');
    kernel('cgroup.procs', () => [...members].map((pid) => `${pid}\n`).join(''));
    kernel(
      'cgroup.kill',
      () => '',
      () => this.#kill(folder),
    );
    for (const name of ['cpu.weight', 'cpu.max', 'memory.max', 'memory.swap.max', 'pids.max']) {
      let value = 'max';
      kernel(
        name,
        () => value,
        (text) => {
          value = text;
        },
      );
    }
  }

  #kill(folder: Folder): void {
    for (const node of folder.entries.values()) if (node instanceof Folder) this.#kill(node);
    for (const pid of this.#members.get(folder) ?? []) this.onKill(pid);
  }
}

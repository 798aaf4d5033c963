import type { Clock } from '@wherry/clock';
import { ControlGroups } from './control-groups.ts';
import { File, Folder } from './nodes.ts';
import { FileTree } from './tree.ts';

/** What outlives every process of a simulation: files, mounts, control groups. */
export class Machine {
  readonly clock: Clock;
  readonly tree: FileTree;
  readonly groups: ControlGroups;
  /** Called before each change that a process makes to its files; may kill the process. */
  beforeChange: (call: string, path: string) => void = () => {};

  constructor(clock: Clock) {
    this.clock = clock;
    this.tree = new FileTree(clock);
    this.groups = new ControlGroups(clock);
    this.#mountKernelFiles();
    for (const folder of ['/var/lib', '/var/log', '/etc', '/tmp', '/run']) this.tree.makeFolders(folder);
    this.tree.write('/etc/resolv.conf', 'nameserver 192.0.2.53\n');
  }

  #mountKernelFiles(): void {
    const { tree, clock } = this;
    tree.makeFolders('/sys/fs/cgroup');
    tree.makeFolders('/proc/self');
    const proc = tree.at('/proc/self') as Folder;
    const file = (read: () => string) => new File(0o444, clock.nowMs(), { read });
    proc.entries.set(
      'mountinfo',
      file(() => this.#mountInfo()),
    );
    tree.mount({ path: '/sys/fs/cgroup', root: this.groups.root, type: 'cgroup2', source: 'cgroup2' });
  }

  #mountInfo(): string {
    return tree2lines(this.tree);
  }
}

function tree2lines(tree: FileTree): string {
  return tree.mounts
    .map(({ id, path, type, source }) => `${id} 1 0:${id} / ${path} rw - ${type} ${source} rw\n`)
    .join('');
}

export { Folder };

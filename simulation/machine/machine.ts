import type { Clock } from '@wherry/clock';
import type { CriServerOptions } from '@wherry/cri';
import { ControlGroups } from './control-groups.ts';
import { File, type Folder, Link } from './nodes.ts';
import type { Participant } from './participant.ts';
import { Processes } from './processes.ts';
import type { Listener } from './sockets.ts';
import { FileTree } from './tree.ts';

const promptShare = 0.7;
const lagMsMax = 12;

/** What outlives every process of a simulation: files, mounts, control groups. */
export class Machine {
  readonly clock: Clock;
  readonly tree: FileTree;
  readonly groups: ControlGroups;
  readonly processes: Processes;
  /** Who listens at which path. */
  readonly listeners = new Map<string, Listener>();
  /** The container runtime that serves, with the process that it is. */
  criServer: { handlers: CriServerOptions; process: Participant } | undefined;
  /** Names of the images that were pulled. */
  readonly images = new Set<string>();
  /** Called before each change that a process makes to its files; may kill the process. */
  beforeChange: (call: string, path: string) => void = () => {};
  #boots = 1;

  constructor(clock: Clock) {
    this.clock = clock;
    this.tree = new FileTree(clock);
    this.groups = new ControlGroups(clock);
    this.processes = new Processes(clock, this.tree);
    this.groups.onKill = (pid) => this.processes.signal(pid, 9);
    this.#mountKernelFiles();
    for (const folder of ['/var/lib', '/var/log', '/etc', '/tmp', '/run']) this.tree.makeFolders(folder);
    this.tree.write('/etc/resolv.conf', 'nameserver 192.0.2.53\n');
    this.tree.write('/etc/passwd', 'root:x:0:0:root:/root:/bin/sh\n');
  }

  /** Everything that is not on a disk is gone: processes, mounts, control groups, sockets. */
  reboot(): void {
    this.#boots += 1;
    this.processes.endAll();
    this.tree.write(bootIdPath, `boot-${this.#boots}\n`);
    for (const { path } of [...this.tree.mounts].reverse())
      if (!path.startsWith('/sys/'))
        this.tree.unmount(this.tree.walk(path, { call: 'umount', followsLast: false }));
    this.groups.removeAll();
    (this.tree.at('/run') as Folder).entries.clear();
  }

  /** How late what another thread did is heard of: mostly at once. */
  lagMs(): number {
    return Math.random() < promptShare ? 0 : Math.floor(Math.random() * lagMsMax);
  }

  #mountKernelFiles(): void {
    const { tree, clock } = this;
    tree.makeFolders('/sys/fs/cgroup');
    tree.makeFolders('/proc/self');
    const proc = tree.at('/proc/self') as Folder;
    tree
      .makeFolders('/dev')
      .entries.set('null', new File(0o666, clock.nowMs(), { read: () => '', write() {} }));
    tree.makeFolders('/proc/self/ns').entries.set('pid', new Link(firstPidNamespace, clock.nowMs()));
    const file = (read: () => string) => new File(0o444, clock.nowMs(), { read });
    proc.entries.set(
      'mountinfo',
      file(() => this.#mountInfo()),
    );
    proc.entries.set(
      'status',
      file(() => 'CapBnd:\t000001ffffffffff\nCapEff:\t000001ffffffffff\n'),
    );
    const bootedAtS = Math.floor((clock.nowMs() - clock.monotonicMs()) / 1_000);
    for (const [path, text] of Object.entries({ ...kernelTexts, '/proc/stat': `btime ${bootedAtS}\n` })) {
      tree.makeFolders(path.replace(/\/[^/]*$/, ''));
      tree.write(path, text);
    }
    tree.mount({ path: '/sys/fs/cgroup', root: this.groups.root, type: 'cgroup2', source: 'cgroup2' });
  }

  #mountInfo(): string {
    return this.tree.mounts
      .map(({ id, path, type, source }) => `${id} 1 0:${id} / ${path} rw - ${type} ${source} rw\n`)
      .join('');
  }
}

/** What the machine's own process namespace is called: nothing here runs in a container. */
const firstPidNamespace = 'pid:[4026531836]';
/** The file that another boot has another text in. */
export const bootIdPath = '/proc/sys/kernel/random/boot_id';

const kernelTexts: Readonly<Record<string, string>> = {
  [bootIdPath]: 'boot-1\n',
  '/proc/sys/net/ipv4/ip_unprivileged_port_start': '1024\n',
  '/proc/sys/net/ipv4/ping_group_range': '1\t0\n',
};

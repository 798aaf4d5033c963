/** What passes for a machine of its own: host name, network, and the folders that kubeadm and kubelets have in fixed places. */
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CriClient, createCriClient } from '@wherry/cri';
import { createImageClient, type ImageClient } from '@wherry/images';
import { createGroup, detectCgroups, foldersAt, removeGroup } from '@wherry/linux';
import { type RunOptions, run, start } from '../../e2e/command.ts';
import { eventually, wherryEntry } from '../../e2e/node.ts';
import { untilReady } from '../cri/cri-node.ts';
import { Processes } from '../peers/joining-node.ts';
import { serveUnits } from './kubeadm-units.ts';

/** What is written here stays here; read is what the machine below has. */
const ownFolders = ['/etc', '/opt', '/var/lib', '/var/log', '/usr/lib', '/usr/libexec'];
/** What kubelets of this machine may have left there. */
const hidden = [
  '/etc/kubernetes',
  '/etc/cni',
  '/opt/cni',
  '/var/lib/kubelet',
  '/var/lib/etcd',
  '/var/log/pods',
  '/var/log/containers',
  '/usr/libexec/kubernetes',
];

/** What the unit in kubeadm's packages starts. */
const unitScript = `[ -e /var/lib/kubelet/kubeadm-flags.env ] && . /var/lib/kubelet/kubeadm-flags.env
exec kubelet --bootstrap-kubeconfig=/etc/kubernetes/bootstrap-kubelet.conf --kubeconfig=/etc/kubernetes/kubelet.conf \\
  --config=/var/lib/kubelet/config.yaml $KUBELET_KUBEADM_ARGS`;

/** A wire between machines, and the one that they are on. */
export class Wire {
  readonly bridge = `ka${process.pid}`;
  readonly network = `10.97.${process.pid % 256}`;
  /** Address of the machine that all are on. */
  readonly address = `${this.network}.254`;

  async lay(): Promise<void> {
    await ip(`link add ${this.bridge} type bridge`);
    await ip(`address add ${this.address}/24 dev ${this.bridge}`);
    await ip(`link set ${this.bridge} up`);
  }

  async remove(): Promise<void> {
    await run('ip', ['link', 'delete', this.bridge]);
  }
}

async function ip(line: string): Promise<void> {
  const { code, stderr } = await run('ip', line.split(' '));
  if (code !== 0) throw new Error(`ip ${line}: ${stderr}`);
}

/** How a machine differs from the others on its wire. */
export interface MachineOptions {
  wire: Wire;
  /** Host name. */
  name: string;
  /** Last part of its address. */
  number: number;
  /** Lines of a shell, `exec …`, that pass for /usr/bin/kubelet. Default: our kubelet. */
  kubelet?: string;
  /** The program kubeadm. */
  kubeadm: string;
}

/** A machine with kubeadm, and with a kubelet as a service that waits for it. */
export class Machine {
  readonly name: string;
  readonly address: string;
  readonly folder = mkdtempSync(join(tmpdir(), 'kubeadm-'));
  /** Control group that its kubelet and its runtime have for themselves. */
  readonly cgroupRoot: string;
  readonly cri: CriClient;
  readonly images: ImageClient;
  readonly processes: Processes;
  readonly #options: MachineOptions;
  readonly #holder: ReturnType<typeof start>;
  #kubelet: ReturnType<typeof start> | undefined;
  #units: { close(): void } | undefined;
  #runtime: { child: ReturnType<typeof start>; flags: readonly string[] } | undefined;

  private constructor(options: MachineOptions) {
    this.#options = options;
    this.name = options.name;
    this.address = `${options.wire.network}.${options.number}`;
    this.cgroupRoot = `/${options.name}-${process.pid}`;
    const logs = process.env['KUBEADM_LOGS'];
    this.processes = new Processes(logs && join(logs, options.name));
    this.cri = createCriClient(this.at('cri.sock'));
    this.images = createImageClient(this.at('images.sock'));
    const words = ['--mount', '--net', '--uts', '--propagation', 'private', 'sh', '-ec', this.#setUp()];
    this.#holder = start('unshare', words);
  }

  static async start(options: MachineOptions): Promise<Machine> {
    const machine = new Machine(options);
    await machine.#finish();
    return machine;
  }

  /** Path in a folder that is the same inside and outside. */
  at(name: string): string {
    return join(this.folder, name);
  }

  /** A file of the machine, as it is seen from outside. */
  file(path: string): string {
    return `/proc/${this.#holder.pid}/root${path}`;
  }

  get endpoint(): string {
    return `unix://${this.at('cri.sock')}`;
  }

  get isKubeletRunning(): boolean {
    const { exitCode, signalCode } = this.#kubelet ?? {};
    return exitCode === null && signalCode === null;
  }

  /** Of the kubelet that was started last. */
  get kubeletPid(): number | undefined {
    return this.#kubelet?.pid;
  }

  /** Runs a command on it. */
  run(words: readonly string[], options: RunOptions = {}) {
    const [program = '', ...rest] = this.#entering(words);
    return run(program, rest, options);
  }

  /** Runs a command on it that has to succeed, and answers what it printed. */
  async runOk(words: readonly string[], options: RunOptions = {}): Promise<string> {
    const { code, stdout, stderr } = await this.run(words, options);
    if (code === 0) return stdout;
    throw new Error(`${words.join(' ')} ended with ${code}:\n${stdout}\n${stderr}\n${this.processes.tail}`);
  }

  startKubelet(): void {
    if (!this.isKubeletRunning) this.#kubelet = this.#start('kubelet', ['sh', '-c', unitScript]);
  }

  async stopKubelet(): Promise<void> {
    if (!this.#kubelet || !this.isKubeletRunning) return;
    const closed = once(this.#kubelet, 'close');
    this.#kubelet.kill();
    await closed;
  }

  /** Processes of pods, by what the control groups of kubelet and runtime hold. */
  podProcesses(): string[] {
    const { controllers, unified } = foldersAt(detectCgroups(), this.cgroupRoot);
    const folders = [...controllers.values(), ...(unified === null ? [] : [unified])].filter(existsSync);
    const words = [...folders, '-name', 'cgroup.procs', '-exec', 'cat', '{}', '+'];
    if (folders.length === 0) return [];
    return spawnSync('find', words, { encoding: 'utf8' })
      .stdout.split('\n')
      .filter((pid) => pid !== '');
  }

  /** Ends all that runs on it; nothing of it stays. */
  async remove(): Promise<void> {
    await this.stopKubelet();
    const { items } = await this.cri.runtime.listPodSandbox().catch(() => ({ items: [] }));
    for (const { id } of items)
      await this.cri.runtime.removePodSandbox({ podSandboxId: id }).catch(console.error);
    this.cri.close();
    await this.processes.end();
    this.#units?.close();
    this.#holder.kill('SIGKILL');
    for (const path of [this.cgroupRoot, `${this.cgroupRoot}-runtime`])
      removeGroup(foldersAt(detectCgroups(), path));
    rmSync(this.folder, { recursive: true, force: true });
  }

  #setUp(): string {
    const { wire, number } = this.#options;
    const over = this.at('over');
    return `
hostname ${this.name}
mkdir ${over}
mount -t tmpfs none ${over}
for folder in ${ownFolders.join(' ')}; do
  mkdir -p ${over}$folder/upper ${over}$folder/work
  mount -t overlay none -o lowerdir=$folder,upperdir=${over}$folder/upper,workdir=${over}$folder/work $folder
done
rm -rf ${hidden.join(' ')} /etc/resolv.conf
mount -t tmpfs none /run
echo nameserver ${wire.address} > /etc/resolv.conf
printf '127.0.0.1 localhost\\n${this.address} ${this.name}\\n' > /etc/hosts
echo ${Buffer.from(this.name).toString('hex').padStart(32, '0')} > /etc/machine-id
ip link set lo up
read -r plugged
ip address add ${this.address}/24 dev eth0
ip link set eth0 up
ip route add default via ${wire.address}
echo 1 > /proc/sys/net/ipv4/ip_forward
echo ready ${number}
exec cat
`;
  }

  async #finish(): Promise<void> {
    const { wire, number } = this.#options;
    let said = '';
    for (const stream of [this.#holder.stdout, this.#holder.stderr])
      stream.on('data', (chunk: Buffer) => (said += chunk));
    await eventually(`the namespaces of ${this.name}`, async () => {
      if (this.#holder.exitCode !== null) throw new Error(said);
      const { stdout } = await run('nsenter', [`--target=${this.#holder.pid}`, '--uts', 'hostname']);
      return stdout.trim() === this.name;
    });
    const end = `${wire.bridge}-${number}`;
    await ip(`link add ${end} type veth peer name eth0 netns ${this.#holder.pid}`);
    await ip(`link set ${end} master ${wire.bridge} up`);
    this.#holder.stdin.write('plugged\n');
    await eventually(`the network of ${this.name}`, () => {
      if (this.#holder.exitCode !== null) throw new Error(said);
      return said.includes(`ready ${number}`);
    });
    // Upstream's kubelet makes none for itself.
    createGroup(foldersAt(detectCgroups(), this.cgroupRoot));
    await this.#placePrograms();
  }

  /** Starts our runtime on it; by default its kubelet names the range of pods. */
  startRuntime(podCidr = 'kubelet'): Promise<void> {
    return this.#startRuntime([`--pod-cidr=${podCidr}`]);
  }

  /** Starts our runtime on it with the network that is installed where CNI's configurations and plug-ins are. */
  startRuntimeOnCni(): Promise<void> {
    return this.#startRuntime(['--cni-conf-dir=/etc/cni/net.d']);
  }

  /** Ends the runtime with SIGKILL and starts another on the same folder. */
  async replaceRuntime(): Promise<void> {
    const { child, flags } = this.#runtime ?? {};
    if (!child || !flags) throw new Error(`no runtime was started on ${this.name}`);
    const closed = once(child, 'close');
    child.kill('SIGKILL');
    await closed;
    this.#runtime = { child: this.wherry('runtime', flags), flags };
    await untilReady(this.cri);
  }

  /** Starts one of our processes on it. */
  wherry(role: string, flags: readonly string[]): ReturnType<typeof start> {
    return this.#start(role, [process.execPath, wherryEntry, role, ...flags]);
  }

  async #startRuntime(more: readonly string[]): Promise<void> {
    const monitor = this.at('monitor.sock');
    this.wherry('monitor', [`--data-dir=${this.at('monitor')}`, `--address=${monitor}`]);
    const flags = [
      ...[`--data-dir=${this.at('runtime')}`, `--address=${this.at('cri.sock')}`],
      ...[`--monitor-address=${monitor}`, `--cgroup-root=${this.cgroupRoot}-runtime`, ...more],
    ];
    this.#runtime = { child: this.wherry('runtime', flags), flags };
    await untilReady(this.cri);
  }

  async #placePrograms(): Promise<void> {
    const { kubeadm, kubelet } = this.#options;
    const folder = this.at('programs');
    mkdirSync(folder);
    const place = (name: string, text: string) =>
      writeFileSync(join(folder, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
    place('kubeadm', `exec ${kubeadm} "$@"`);
    place('kubelet', kubelet ?? `exec ${process.execPath} ${wherryEntry} kubelet "$@"`);
    this.#units = await serveUnits(this.at('systemd.sock'), this);
    const client = new URL('../e2e-node/service-manager/systemctl.ts', import.meta.url).pathname;
    place('systemctl', `exec ${process.execPath} ${client} ${this.at('systemd.sock')} "$@"`);
  }

  #start(name: string, words: readonly string[]): ReturnType<typeof start> {
    const [program = '', ...rest] = this.#entering(words);
    return this.processes.start(name, program, rest);
  }

  #entering(words: readonly string[]): string[] {
    const path = `PATH=${this.at('programs')}:${process.env['PATH']}`;
    const into = ['--mount', '--net', '--uts', '--wdns=/'];
    return ['nsenter', `--target=${this.#holder.pid}`, ...into, '--', 'env', path, ...words];
  }
}

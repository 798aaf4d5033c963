/** What passes for a machine of its own: its processes, mounts, host name and network, which a power loss takes all at once. */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { detectCgroups, foldersAt, removeGroup } from '@wherry/linux';
import { type RunOptions, run, start } from '../command.ts';
import { eventually, wherryEntry } from '../node.ts';
import type { Wire } from './wire.ts';

/** Who a machine is on its wire. */
export interface MachineOptions {
  wire: Wire;
  /** Host name. */
  name: string;
  /** Last part of its address. */
  number: number;
}

/** A machine with a disk that outlives {@link losePower}. */
export class Machine {
  readonly name: string;
  readonly number: number;
  /** What it has on its disk; the same path inside and outside. */
  readonly disk: string;
  readonly cgroupRoot: string;
  address: string;
  readonly #wire: Wire;
  #holder: ReturnType<typeof start> | undefined;
  #initPid = 0;
  readonly #processes = new Map<string, ReturnType<typeof start>>();
  /** Program and flags of each, by its role. */
  readonly #lines = new Map<string, readonly string[]>();

  constructor({ wire, name, number }: MachineOptions) {
    this.name = name;
    this.number = number;
    this.#wire = wire;
    this.address = `${wire.network}.${number}`;
    this.cgroupRoot = `/wherry-${name}-${process.pid}`;
    this.disk = mkdtempSync(join(tmpdir(), `wherry-machine-${name}-`));
  }

  get isOn(): boolean {
    return this.#holder !== undefined;
  }

  /** Path on its disk. */
  at(name: string): string {
    return join(this.disk, name);
  }

  /** What a process has said, since the machine was made. */
  log(role: string): string {
    return readFileSync(this.at(`logs/${role}.log`), 'utf8');
  }

  async switchOn(): Promise<void> {
    mkdirSync(this.at('logs'), { recursive: true });
    writeFileSync(this.at('boot_id'), `${randomUUID()}\n`);
    const spaces = ['--mount', '--net', '--uts', '--ipc', '--pid', '--fork', '--mount-proc', '--kill-child'];
    this.#holder = start('unshare', [...spaces, 'sh', '-ec', this.#setUp()]);
    let said = '';
    for (const stream of [this.#holder.stdout, this.#holder.stderr])
      stream.on('data', (chunk: Buffer) => (said += chunk));
    const says = (word: string) =>
      eventually(`${this.name} says ${word}`, () => {
        if (this.#holder?.exitCode !== null) throw new Error(said);
        return said.includes(word);
      });
    await says('unplugged');
    const { pid } = this.#holder;
    this.#initPid = Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim());
    await this.#wire.plug(this.number, this.#initPid);
    this.#holder.stdin.write('plugged\n');
    await says('is on');
  }

  /** All its processes, mounts and network end at this moment; what is on its disk stays. */
  async losePower(): Promise<void> {
    const holder = this.#holder;
    if (!holder) return;
    const closed = once(holder, 'close');
    process.kill(this.#initPid, 'SIGKILL');
    await closed;
    this.#holder = undefined;
    await Promise.all([...this.#processes.values()].map(ended));
    this.#processes.clear();
    await eventually('its control groups to be empty', () => {
      try {
        removeGroup(foldersAt(detectCgroups(), this.cgroupRoot));
        return true;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EBUSY') throw error;
        return false;
      }
    });
  }

  /** Starts one of our processes. */
  wherry(role: string, flags: readonly string[]): void {
    this.start(role, process.execPath, [wherryEntry, role, ...flags]);
  }

  /** Starts a program; what it says goes to a file of its disk. */
  start(role: string, path: string, flags: readonly string[]): void {
    this.#lines.set(role, [path, ...flags]);
    const [program = '', ...words] = this.#entering([path, ...flags]);
    const child = start(program, words);
    const file = createWriteStream(this.at(`logs/${role}.log`), { flags: 'a' });
    for (const stream of [child.stdout, child.stderr]) stream.pipe(file, { end: false });
    child.once('close', () => file.end());
    this.#processes.set(role, child);
  }

  /** Ends a process with a signal and waits until it is gone. */
  async kill(role: string, signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    const child = this.#processes.get(role);
    if (!child) throw new Error(`no ${role} runs on ${this.name}`);
    // The child is nsenter, which waits for the process inside: that is its only child.
    const inside = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').trim();
    process.kill(Number(inside), signal);
    await ended(child);
    this.#processes.delete(role);
  }

  /** Ends a process and starts it again as it was. */
  async restart(role: string, signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    await this.kill(role, signal);
    const [path = '', ...flags] = this.#lines.get(role) ?? [];
    this.start(role, path, flags);
  }

  /** All its processes stand still, those of containers too, until {@link resume}. */
  async suspend(): Promise<void> {
    await this.runOk(['sh', '-c', 'kill -STOP -1']);
  }

  async resume(): Promise<void> {
    await this.runOk(['sh', '-c', 'kill -CONT -1']);
    // nsenter stands still with what it has started.
    for (const child of this.#processes.values()) child.kill('SIGCONT');
  }

  /** Runs a command on it. */
  run(words: readonly string[], options: RunOptions = {}) {
    const [program = '', ...rest] = this.#entering(words);
    return run(program, rest, options);
  }

  async runOk(words: readonly string[]): Promise<string> {
    const { code, stdout, stderr } = await this.run(words);
    if (code !== 0) throw new Error(`${words.join(' ')} on ${this.name}: ${stderr}`);
    return stdout;
  }

  /** Another address on its wire, as from DHCP: what it said by the old one is cut off. */
  async readdress(address: string): Promise<void> {
    await this.runOk(['ip', 'address', 'flush', 'dev', 'eth0']);
    this.address = address;
    for (const line of this.#addressing()) await this.runOk(line.split(' '));
  }

  async remove(): Promise<void> {
    await this.losePower();
    rmSync(this.disk, { recursive: true, force: true });
  }

  #setUp(): string {
    return `
hostname ${this.name}
mount -t tmpfs none /run
mount --bind ${this.at('boot_id')} /proc/sys/kernel/random/boot_id
ip link set lo up
echo unplugged
read -r plugged
${this.#addressing().join('\n')}
echo 1 > /proc/sys/net/ipv4/ip_forward
echo is on
exec cat
`;
  }

  #addressing(): string[] {
    return [
      `ip address add ${this.address}/24 dev eth0`,
      'ip link set eth0 up',
      `ip route replace default via ${this.#wire.address}`,
    ];
  }

  #entering(words: readonly string[]): string[] {
    const into = ['--mount', '--net', '--uts', '--ipc', '--pid', '--wdns=/'];
    return ['nsenter', `--target=${this.#initPid}`, ...into, '--', ...words];
  }
}

async function ended(child: ReturnType<typeof start>): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'close');
}

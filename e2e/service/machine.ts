import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Finished, type RunOptions, run } from '../command.ts';
import { eventually, wherryEntry } from '../node.ts';
import { stretched } from '../slowness.ts';

const script = join(import.meta.dirname, 'machine.sh');
const repository = join(import.meta.dirname, '../..');
const bootTimeoutMs = stretched(60_000);

/**
 * A machine that a real systemd starts as its first process, made of this machine's files in namespaces of its own. Its
 * end, also that of the test, ends all that runs there.
 */
export class SystemdMachine implements AsyncDisposable {
  readonly #folder: string;
  readonly #holder: ChildProcess;
  #said = '';

  private constructor() {
    this.#folder = mkdtempSync(join(tmpdir(), 'wherry-systemd-'));
    for (const name of ['memory', 'data']) mkdirSync(join(this.#folder, name));
    const inside = ['unshare', '--mount', '--fork', '--kill-child', 'sh', script, this.#folder, repository];
    this.#holder = spawn('setpriv', ['--pdeathsig', 'KILL', ...inside], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [this.#holder.stdout, this.#holder.stderr])
      stream?.on('data', (chunk) => (this.#said += chunk));
  }

  /** Starts one, and waits until systemd has started all that it is to start. */
  static async boot(): Promise<SystemdMachine> {
    const machine = new SystemdMachine();
    try {
      await machine.#untilBooted();
      return machine;
    } catch (error) {
      await machine[Symbol.asyncDispose]();
      throw new Error(`systemd did not start: ${machine.#said}`, { cause: error });
    }
  }

  /** Runs a command in there, as root. */
  run(words: readonly string[], options: RunOptions = {}): Promise<Finished> {
    const first = this.#first();
    if (first === undefined) throw new Error(`the machine has ended: ${this.#said}`);
    return run('nsenter', ['--target', `${first}`, '--all', ...words], options);
  }

  /** What a command says that has to succeed. */
  async said(words: readonly string[], options: RunOptions = {}): Promise<string> {
    const { code, stdout, stderr } = await this.run(words, options);
    if (code !== 0) throw new Error(`${words.join(' ')} ended with ${code}: ${stderr}${stdout}`);
    return stdout;
  }

  /** The command line of this checkout, with what it says on either output; it has to succeed. */
  async wherry(...words: string[]): Promise<string> {
    const line = ['sh', '-c', 'exec "$@" 2>&1', 'sh', process.execPath, wherryEntry, ...words];
    return this.said(line, { timeoutMs: 120_000 });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const [shell] = childrenOf(this.#holder.pid);
    if (shell !== undefined) {
      const ended = once(this.#holder, 'exit');
      process.kill(shell, 'SIGTERM');
      await ended;
    }
    rmSync(this.#folder, { recursive: true, force: true });
  }

  async #untilBooted(): Promise<void> {
    const look = async () => {
      if (this.#holder.exitCode !== null) throw new Error(`the machine has ended: ${this.#said}`);
      const first = this.#first();
      if (first === undefined || !isSystemd(first)) return false;
      const { stdout } = await this.run(['systemctl', 'is-system-running']);
      return /running|degraded/.test(stdout);
    };
    await eventually('the end of the boot', look, bootTimeoutMs);
  }

  /** The machine's first process, as this machine counts it; undefined while there is none. */
  #first(): number | undefined {
    const [shell] = childrenOf(this.#holder.pid);
    const [namespaces] = childrenOf(shell);
    return childrenOf(namespaces)[0];
  }
}

function childrenOf(pid: number | undefined): number[] {
  return read(`/proc/${pid}/task/${pid}/children`).split(' ').filter(Boolean).map(Number);
}

const isSystemd = (pid: number) => read(`/proc/${pid}/comm`).trim() === 'systemd';

/** A file of a process, empty when it is gone. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

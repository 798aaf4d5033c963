import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';

let built: string | undefined;

/** Builds the plug-in, which stands on upstream's own stub, the first time; answers its path. */
export function buildPlugIn(): string {
  if (built !== undefined) return built;
  const binary = join(dirname(import.meta.dirname), 'bin', 'nri-plugin');
  execFileSync('go', ['build', '-o', binary, './plugin'], { cwd: import.meta.dirname });
  built = binary;
  return binary;
}

/** An event as the plug-in was told it. */
export interface Told {
  event: string;
  pod: { id: string; name: string } | null;
  container: {
    id: string;
    name: string;
    env?: string[];
    args?: string[];
    linux?: { cgroups_path?: string };
  } | null;
  // biome-ignore lint/suspicious/noExplicitAny: what comes with an event is its own.
  more: any;
}

/** The plug-in as a process of its own. */
export class PlugInProcess {
  readonly #child: ChildProcess;
  readonly told: Told[] = [];
  stderr = '';

  constructor(socket: string, { name = 'judge', index = '10', ...answers }: Record<string, unknown> = {}) {
    const words = ['-socket', socket, '-name', String(name), '-idx', String(index)];
    this.#child = spawn(buildPlugIn(), [...words, '-answers', JSON.stringify(answers)], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const { stdout, stderr } = this.#child;
    if (stdout) createInterface(stdout).on('line', (line) => this.told.push(JSON.parse(line) as Told));
    stderr?.on('data', (text) => {
      this.stderr += text;
    });
  }

  /** Starts one, and waits until it was told what there is, and a moment more. */
  static async start(socket: string, answers: Record<string, unknown> = {}): Promise<PlugInProcess> {
    const made = new PlugInProcess(socket, answers);
    await made.heard('Synchronize');
    await delay(100);
    return made;
  }

  /** The first event of that name, once it has come. */
  async heard(event: string, id?: string): Promise<Told> {
    for (let tries = 0; tries < 1000; tries++) {
      const found = this.told.find(
        (one) => one.event === event && (id === undefined || one.container?.id === id),
      );
      if (found) return found;
      if (this.#child.exitCode !== null) break;
      await delay(10);
    }
    throw new Error(`the plug-in was not told ${event}: ${this.events()} ${this.stderr}`);
  }

  events(): string {
    return this.told.map(({ event }) => event).join(' ');
  }

  async ended(): Promise<void> {
    if (this.#child.exitCode === null && this.#child.signalCode === null) await once(this.#child, 'exit');
  }

  async kill(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.ended();
  }
}

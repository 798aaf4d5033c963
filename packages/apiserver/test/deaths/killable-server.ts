import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ApiserverOptions } from '@wherry/apiserver';
import { prepareServer } from '../prepare-server.ts';

const program = new URL('./server-process.ts', import.meta.url).pathname;

/** An API server in a process of its own, which can be killed and is there again in the same folder, at the same URL. */
export class KillableServer {
  /** Kept connections of the administrator. */
  readonly agent: Agent;
  readonly #folder: string;
  #options: ApiserverOptions;
  #child: ChildProcess | undefined;
  #up = Promise.withResolvers<void>();
  url = '';

  private constructor(folder: string, options: ApiserverOptions, agent: Agent) {
    this.#folder = folder;
    this.#options = options;
    this.agent = agent;
  }

  static async start(): Promise<KillableServer> {
    const folder = mkdtempSync(join(tmpdir(), 'wherry-apiserver-'));
    const { authority, admin, options } = await prepareServer(folder);
    const agent = new Agent({ ca: authority.cert, keepAlive: true, ...admin });
    const server = new KillableServer(folder, options, agent);
    await server.startAgain();
    return server;
  }

  /** Resolves when it serves, at once where it does. */
  get isUp(): Promise<void> {
    return this.#up.promise;
  }

  async startAgain(): Promise<void> {
    const child = fork(program, [JSON.stringify(this.#options)]);
    this.#child = child;
    const ended = once(child, 'exit').then(() => Promise.reject(new Error('the API server did not start')));
    const [url] = await Promise.race([once(child, 'message'), ended]);
    ended.catch(() => {});
    this.url = url as string;
    this.#options = { ...this.#options, securePort: Number(new URL(this.url).port) };
    this.#up.resolve();
  }

  async kill(): Promise<void> {
    this.#up = Promise.withResolvers<void>();
    const child = this.#child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
  }

  async close(): Promise<void> {
    this.agent.destroy();
    await this.kill();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

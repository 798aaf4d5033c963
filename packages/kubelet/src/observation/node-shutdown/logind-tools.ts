import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { onAbort, shownJson } from '@wherry/bytes';
import type { Clock } from '@wherry/clock';
import { logindAnswerMs } from '../../limits.ts';
import type { InhibitLock, Logind } from './logind.ts';
import { WaitingTool } from './waiting-tool.ts';

/** What the tools are run with. */
export interface LogindToolsOptions {
  clock: Clock;
  /** Folder of what is added to logind's configuration. */
  configDir?: string;
  /** Environment of the tools. Default: this process's. */
  environment?: NodeJS.ProcessEnv;
}

const manager = [
  'org.freedesktop.login1',
  '/org/freedesktop/login1',
  'org.freedesktop.login1.Manager',
] as const;
const [service, path, managerInterface] = manager;
/** Signals of others are not taken: on the system bus everybody may send them. */
const match = `type='signal',sender='${service}',path='${path}',interface='${managerInterface}',member='PrepareForShutdown'`;

/**
 * logind by systemd's own tools, busctl(1) and systemd-inhibit(1): its lock is a file descriptor, which Node's sockets can
 * not receive.
 */
export class LogindTools implements Logind {
  readonly #clock: Clock;
  readonly #configDir: string;
  readonly #environment: NodeJS.ProcessEnv;

  constructor({
    clock,
    configDir = '/etc/systemd/logind.conf.d',
    environment = process.env,
  }: LogindToolsOptions) {
    this.#clock = clock;
    this.#configDir = configDir;
    this.#environment = environment;
  }

  async inhibitDelayMs(signal: AbortSignal): Promise<number> {
    const delay = await this.#property('InhibitDelayMaxUSec', signal);
    if (typeof delay !== 'number')
      throw new Error(`logind's InhibitDelayMaxUSec is no number: ${shownJson(delay)}`);
    return delay / 1_000;
  }

  async isShuttingDown(signal: AbortSignal): Promise<boolean> {
    return (await this.#property('PreparingForShutdown', signal)) === true;
  }

  /** By upstream's file, so that a kubelet of either kind replaces what the other wrote. */
  async raiseInhibitDelay(delayMs: number, signal: AbortSignal): Promise<void> {
    const content = `# Written by the kubelet: shutdowns wait for pods.\n[Login]\nInhibitDelayMaxSec=${Math.ceil(delayMs / 1_000)}\n`;
    await mkdir(this.#configDir, { recursive: true, mode: 0o755 });
    await writeFile(join(this.#configDir, '99-kubelet.conf'), content, { mode: 0o644 });
    const systemd = [
      'org.freedesktop.systemd1',
      '/org/freedesktop/systemd1',
      'org.freedesktop.systemd1.Manager',
    ];
    // SIGHUP, to every process of the unit.
    await this.#busctl(['call', ...systemd, 'KillUnit', 'ssi', 'systemd-logind.service', 'all', '1'], signal);
  }

  /** `cat` answers once the lock is held, and ends, and the lock with it, when its input does. */
  async inhibit(signal: AbortSignal): Promise<InhibitLock> {
    const why = 'Kubelet needs time to handle node shutdown';
    const words = ['--what=shutdown', '--mode=delay', '--who=kubelet', `--why=${why}`, 'cat'];
    const tool = new WaitingTool('systemd-inhibit', words, this.#environment);
    tool.stdin.write('held\n');
    await tool.says(tool.stdout, 'held', { clock: this.#clock, signal });
    return { gone: tool.ended.then(() => {}), release: () => tool.stdin.end() };
  }

  async watch(signal: AbortSignal): Promise<AsyncIterable<boolean>> {
    const words = ['--system', '--json=short', 'monitor', `--match=${match}`];
    const tool = new WaitingTool('busctl', words, this.#environment);
    await tool.says(tool.stderr, 'Monitoring bus message stream', { clock: this.#clock, signal });
    return announcements(tool, signal);
  }

  async #property(name: string, signal: AbortSignal): Promise<unknown> {
    const answer = await this.#busctl(['--json=short', 'get-property', ...manager, name], signal);
    return (JSON.parse(answer) as { data?: unknown }).data;
  }

  async #busctl(words: readonly string[], signal: AbortSignal): Promise<string> {
    const options = { env: this.#environment, timeout: logindAnswerMs, signal };
    const { stdout } = await promisify(execFile)('busctl', ['--system', ...words], options);
    return stdout;
  }
}

/** What the bus tells, until it ends; rejects then, unless `signal` is aborted. */
async function* announcements(tool: WaitingTool, signal: AbortSignal): AsyncGenerator<boolean> {
  const leave = onAbort(signal, () => tool.end());
  try {
    for await (const line of createInterface({ input: tool.stdout })) {
      const { payload } = JSON.parse(line) as { payload?: { data?: unknown[] } };
      const [isComing] = payload?.data ?? [];
      if (typeof isComing === 'boolean') yield isComing;
    }
    if (!signal.aborted) throw new Error(await tool.ended);
  } finally {
    leave();
    tool.end();
  }
}

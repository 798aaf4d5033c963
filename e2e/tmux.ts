import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually, wherryEntry } from './node.ts';

const prompt = '% ';
/** How long a Tab may take, and how many are pressed. */
const tabMs = 10_000;
const tabsMax = 6;

/** A shell in a terminal that tmux plays: keys go in, what stands on the screen and what was ever written come out. */
export class Tmux implements Disposable {
  readonly #folder = mkdtempSync(join(tmpdir(), 'wherry-tmux-'));

  /** A bash of 160 columns and 30 rows in which `wherry` is the command line of this checkout. */
  static async start(env: Record<string, string>): Promise<Tmux> {
    const tmux = new Tmux();
    const settings = Object.entries(env).flatMap(([name, value]) => ['-e', `${name}=${value}`]);
    const shell = ['bash', '--norc', '--noprofile'];
    tmux.#run(['new-session', '-d', '-x', '160', '-y', '30', ...settings, ...shell]);
    tmux.#run(['pipe-pane', '-o', `cat > '${tmux.#record}'`]);
    await tmux.line(`PS1='${prompt}'; wherry() { '${process.execPath}' '${wherryEntry}' "$@"; }; clear`);
    return tmux;
  }

  /** Types text and names of keys (`C-c`, `Tab`, `Enter`). */
  keys(...keys: string[]): void {
    this.#run(['send-keys', ...keys]);
  }

  /** Types a line, waits until the shell asks again, and gives back what was written meanwhile. */
  async line(text: string, timeoutMs?: number): Promise<string> {
    const before = this.written.length;
    this.keys(text, 'Enter');
    // Until the shell has taken the line, the prompt on the screen is the one before it.
    await eventually(`"${text}" to be taken`, () => this.written.slice(before).includes('\n'), timeoutMs);
    await this.prompt(timeoutMs);
    return this.written.slice(before);
  }

  /**
   * Presses Tab until it is so. One may not do: a look-up gives up after a moment, so that nobody waits for a Tab, and on a
   * busy machine none is that quick.
   */
  async tabUntil(what: string, isSo: () => boolean): Promise<void> {
    for (let tries = 1; ; tries++) {
      this.keys('Tab');
      try {
        return void (await eventually(what, isSo, tabMs));
      } catch (error) {
        if (tries === tabsMax) throw error;
      }
    }
  }

  /** Waits until the shell asks for a line. */
  async prompt(timeoutMs?: number): Promise<void> {
    await eventually(
      'the prompt',
      // A program that heeds Ctrl-C itself leaves the terminal's echo of it in front.
      () => /^(\^C)?%$/.test(this.screen().trimEnd().split('\n').at(-1) ?? ''),
      timeoutMs,
    );
  }

  /** The terminal's settings and whether its cursor is shown: what no program may leave otherwise. */
  async settings(): Promise<string> {
    const said = (await this.line('echo settings=$(stty -g)')).replace(/^.*\n/, '');
    const settings = /settings=(\S+)/.exec(said)?.[1];
    if (!settings) throw new Error(`stty said ${said}`);
    return `${settings}, ${this.#run(['display-message', '-p', 'cursor #{cursor_flag}']).trim()}`;
  }

  /** The command lines of what the shell has started and still runs, also what became nobody's child. */
  programs(): string[] {
    const shell = this.#run(['display-message', '-p', '#{pane_pid}']).trim();
    const { stdout } = spawnSync('ps', ['-s', shell, '-o', 'pid=,args='], { encoding: 'utf8' });
    const lines = stdout.split('\n').map((line) => line.trim());
    return lines.filter((line) => line !== '' && !line.startsWith(`${shell} `));
  }

  /** The exit code of the line before. */
  async exitCode(): Promise<number> {
    return Number(/^code=(\d+)/m.exec(await this.line('echo code=$?'))?.[1]);
  }

  /** What stands on the screen. */
  screen(): string {
    return this.#run(['capture-pane', '-p']);
  }

  /** Every byte that was written to the terminal so far. */
  get written(): string {
    try {
      return readFileSync(this.#record, 'utf8');
    } catch {
      return '';
    }
  }

  [Symbol.dispose](): void {
    spawnSync('tmux', ['-S', this.#socket, 'kill-server']);
    rmSync(this.#folder, { recursive: true, force: true });
  }

  get #socket(): string {
    return join(this.#folder, 'socket');
  }

  get #record(): string {
    return join(this.#folder, 'written');
  }

  #run(words: string[]): string {
    // Whoever runs the tests may want them without colours; the programs in here are at a terminal of their own.
    const { NO_COLOR: _, ...environment } = process.env;
    const { status, stdout, stderr, error } = spawnSync(
      'tmux',
      ['-S', this.#socket, '-f', '/dev/null', ...words],
      {
        encoding: 'utf8',
        env: { ...environment, TERM: 'xterm-256color' },
      },
    );
    if (error) throw new Error('tmux is missing; apt-get install tmux', { cause: error });
    if (status !== 0) throw new Error(`tmux ${words[0]}: ${stderr}`);
    return stdout;
  }
}

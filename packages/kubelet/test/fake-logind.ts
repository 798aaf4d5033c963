import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Tools without which there is no bus here, or nobody to speak on it. */
const tools = ['dbus-daemon', 'busctl', 'systemd-inhibit', 'setpriv', 'python3'];

/** Why there can be no {@link FakeLogind} on this machine; false where there can. */
export function withoutLogind(): string | false {
  const missing = tools.filter((tool) => {
    try {
      execFileSync('sh', ['-c', `command -v ${tool}`], { stdio: 'ignore' });
      return false;
    } catch {
      return true;
    }
  });
  return missing.length > 0 && `needs ${missing.join(', ')}`;
}

const busConfiguration = (socket: string) => `<!DOCTYPE busconfig PUBLIC
  "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
  "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig><type>session</type><listen>unix:path=${socket}</listen><policy context="default">
<allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/></policy></busconfig>`;

/** A real message bus of its own with a logind that obeys the test; the machine's own is left alone. */
export class FakeLogind implements AsyncDisposable {
  readonly folder: string;
  /** What it was asked, and what became of its locks. */
  readonly lines: string[] = [];
  readonly #children: ChildProcess[] = [];
  #changed = Promise.withResolvers<void>();

  private constructor(folder: string) {
    this.folder = folder;
  }

  /** With `relays` it announces what anybody on its bus announces. */
  static async start({
    delaySeconds,
    relays = false,
  }: {
    delaySeconds: number;
    relays?: boolean;
  }): Promise<FakeLogind> {
    const logind = new FakeLogind(await mkdtemp(join(tmpdir(), 'kubelet-logind-')));
    const configuration = join(logind.folder, 'bus.conf');
    await writeFile(configuration, busConfiguration(join(logind.folder, 'bus')));
    logind.#spawn('dbus-daemon', [`--config-file=${configuration}`, '--nofork', '--print-address']);
    await logind.said(/^unix:/);
    const script = join(import.meta.dirname, 'fake-logind.py');
    const replaced = join(logind.folder, '99-kubelet.conf');
    logind.#spawn('python3', [script, String(delaySeconds), replaced, ...(relays ? ['relay'] : [])]);
    await logind.said(/^ready$/);
    return logind;
  }

  /** What programs find its bus by, as `DBUS_SYSTEM_BUS_ADDRESS`. */
  get busAddress(): string {
    return `unix:path=${join(this.folder, 'bus')}`;
  }

  get environment(): NodeJS.ProcessEnv {
    return { ...process.env, DBUS_SYSTEM_BUS_ADDRESS: this.busAddress };
  }

  /** Announces a shutdown, or that there is none after all. */
  announce(what: 'shutdown' | 'cancel'): void {
    this.#children.at(-1)?.stdin?.write(`${what}\n`);
  }

  /** Resolves when so many lines say that. Rejects after ten seconds. */
  async said(words: RegExp, times = 1): Promise<void> {
    const deadline = AbortSignal.timeout(10_000);
    while (this.lines.filter((line) => words.test(line)).length < times) {
      const late = new Promise<never>((_, reject) => {
        deadline.onabort = () => reject(new Error(`waited in vain for ${words}: ${this.lines.join('; ')}`));
      });
      await Promise.race([this.#changed.promise, late]);
    }
    deadline.onabort = null;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const child of this.#children.toReversed()) {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      if (child.kill()) await ended;
    }
    await rm(this.folder, { recursive: true, force: true });
  }

  #spawn(command: string, words: readonly string[]): void {
    const child = spawn(command, words, { env: this.environment });
    this.#children.push(child);
    for (const output of [child.stdout, child.stderr])
      output.setEncoding('utf8').on('data', (text: string) => {
        this.lines.push(...text.trim().split('\n'));
        this.#changed.resolve();
        this.#changed = Promise.withResolvers();
      });
  }
}

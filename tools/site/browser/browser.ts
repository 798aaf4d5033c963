import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const patienceMs = 60_000;
const pollMs = 50;

/** One page of a headless Chromium, driven over its DevTools protocol. */
export class Browser {
  readonly #process: ChildProcess;
  readonly #profile: string;
  readonly #socket: WebSocket;
  readonly #waiting = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>();
  #session: string | undefined;
  #lastId = 0;

  private constructor(child: ChildProcess, profile: string, socket: WebSocket) {
    this.#process = child;
    this.#profile = profile;
    this.#socket = socket;
    socket.addEventListener('message', ({ data }) => this.#receive(JSON.parse(String(data))));
    // One that ends may take its answer with it.
    socket.addEventListener('close', () => {
      for (const { reject } of this.#waiting.values()) reject(new Error('the browser has ended'));
      this.#waiting.clear();
    });
  }

  /** Starts one. It runs as root, so without its sandbox: it opens pages of ours alone. */
  static async start(): Promise<Browser> {
    const profile = mkdtempSync(join(tmpdir(), 'wherry-browser-'));
    const words = ['--headless=new', '--no-sandbox', '--disable-gpu', '--no-first-run'];
    const more = [`--user-data-dir=${profile}`, '--remote-debugging-port=0', 'about:blank'];
    const child = spawn('chromium', [...words, ...more], { stdio: ['ignore', 'ignore', 'pipe'] });
    const socket = new WebSocket(await addressOf(child));
    await once(socket, 'open');
    const browser = new Browser(child, profile, socket);
    const { targetInfos } = await browser.#call<{ targetInfos: Target[] }>('Target.getTargets');
    const targetId = targetInfos.find(({ type }) => type === 'page')?.targetId;
    const attached = { targetId, flatten: true };
    const { sessionId } = await browser.#call<{ sessionId: string }>('Target.attachToTarget', attached);
    browser.#session = sessionId;
    return browser;
  }

  /** Makes the window as wide as a phone's, in CSS pixels. */
  async resize(width: number, height: number): Promise<void> {
    const screen = { width, height, deviceScaleFactor: 2, mobile: true };
    await this.#call('Emulation.setDeviceMetricsOverride', screen);
  }

  /** Opens a page, and waits until it and what belongs to it is there. */
  async open(url: string): Promise<void> {
    await this.#call('Page.navigate', { url });
    const expected = JSON.stringify(url);
    await this.waitFor(`location.href === ${expected} && document.readyState === 'complete'`);
  }

  /** The value of an expression in the page, as JSON tells it. */
  async evaluate<T>(expression: string): Promise<T> {
    const asked = { expression, returnByValue: true, awaitPromise: true };
    const { result, exceptionDetails } = await this.#call<Evaluated<T>>('Runtime.evaluate', asked);
    if (exceptionDetails) throw new Error(`${expression}: ${exceptionDetails.text}`);
    return result.value;
  }

  /** Waits until an expression is true. */
  async waitFor(expression: string): Promise<void> {
    const deadline = performance.now() + patienceMs;
    while (!(await this.evaluate<boolean>(expression).catch(() => false))) {
      if (performance.now() > deadline) throw new Error(`${expression}: not within ${patienceMs / 1000} s`);
      await new Promise((resolve) => setTimeout(resolve, pollMs));
    }
  }

  /** What the window shows, as a PNG. */
  async picture(): Promise<Buffer> {
    const { data } = await this.#call<{ data: string }>('Page.captureScreenshot', { format: 'png' });
    return Buffer.from(data, 'base64');
  }

  /** Types into what has the focus. */
  async type(text: string): Promise<void> {
    await this.#call('Input.insertText', { text });
  }

  /** What pages are asked to look like. */
  async preferScheme(value: 'light' | 'dark'): Promise<void> {
    await this.#call('Emulation.setEmulatedMedia', { features: [{ name: 'prefers-color-scheme', value }] });
  }

  /** Nodes and listeners that are alive, after what nobody needs has been collected. */
  async liveCounts(): Promise<{ nodes: number; jsEventListeners: number }> {
    await this.#call('HeapProfiler.collectGarbage');
    return this.#call('Memory.getDOMCounters');
  }

  /** Presses Tab. */
  async pressTab(): Promise<void> {
    const key = { key: 'Tab', code: 'Tab', windowsVirtualKeyCode: 9 };
    await this.#call('Input.dispatchKeyEvent', { type: 'rawKeyDown', ...key });
    await this.#call('Input.dispatchKeyEvent', { type: 'keyUp', ...key });
  }

  /** Presses Enter in what has the focus. */
  async pressEnter(): Promise<void> {
    const key = { key: 'Enter', code: 'Enter', windowsVirtualKeyCode: 13, text: '\r' };
    await this.#call('Input.dispatchKeyEvent', { type: 'keyDown', ...key });
    await this.#call('Input.dispatchKeyEvent', { type: 'keyUp', ...key });
  }

  async close(): Promise<void> {
    const ended = once(this.#process, 'exit');
    await this.#call('Browser.close').catch(() => this.#process.kill('SIGKILL'));
    await ended;
    rmSync(this.#profile, { recursive: true, force: true, maxRetries: 5 });
  }

  #call<T = unknown>(method: string, params: object = {}): Promise<T> {
    this.#lastId += 1;
    const id = this.#lastId;
    const session = method.startsWith('Target.') || method.startsWith('Browser.') ? undefined : this.#session;
    return new Promise<T>((resolve, reject) => {
      this.#waiting.set(id, { resolve: resolve as (value: unknown) => void, reject });
      this.#socket.send(JSON.stringify({ id, method, params, sessionId: session }));
    });
  }

  #receive({ id, result, error }: Answer): void {
    const waiting = id === undefined ? undefined : this.#waiting.get(id);
    if (id === undefined || !waiting) return;
    this.#waiting.delete(id);
    if (error) waiting.reject(new Error(error.message));
    else waiting.resolve(result);
  }
}

interface Target {
  type: string;
  targetId: string;
}

interface Evaluated<T> {
  result: { value: T };
  exceptionDetails?: { text: string };
}

interface Answer {
  id?: number;
  result?: unknown;
  error?: { message: string };
}

/** Where it listens, which it says on stderr. */
async function addressOf(child: ChildProcess): Promise<string> {
  if (!child.stderr) throw new Error('no stderr');
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', (error) => reject(new Error(`chromium could not be run: ${error.message}`)));
  });
  for await (const line of createInterface(child.stderr)) {
    const address = /^DevTools listening on (ws:\S+)/.exec(line)?.[1];
    if (address) return address;
  }
  throw new Error('chromium ended before it listened');
}

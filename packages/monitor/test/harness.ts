import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { detectCgroups, foldersAt, removeGroup } from '@wherry/linux';
import { type ContainerStatus, MonitorClient, type OciProcess } from '@wherry/monitor-api';
import { silentLogger } from '@wherry/telemetry';
import { type StartMonitorOptions, startMonitor } from '../src/index.ts';
import { makeBundle, makeRootfs, processOf, temporaryFolder } from './bundle.ts';

/** What a test container is made of, beside its process. */
export interface TestContainer {
  terminal?: boolean;
  stdin?: boolean;
  stdinOnce?: boolean;
  process?: Partial<OciProcess>;
  memoryLimitBytes?: number;
  hostPids?: boolean;
  log?: boolean;
}

/** A monitor of its own in a folder of its own, with a client. */
export class Harness {
  readonly folder: string;
  readonly client: MonitorClient;
  readonly socketPath: string;
  readonly cgroup: string;
  readonly #remove: () => void;
  #close: () => Promise<void> = async () => {};
  #next = 1;

  constructor() {
    const { path, remove } = temporaryFolder('monitor');
    this.folder = path;
    this.#remove = remove;
    this.cgroup = `/wherry-test-${randomBytes(4).toString('hex')}`;
    this.socketPath = join(path, 'monitor.sock');
    makeRootfs(join(path, 'rootfs'));
    this.client = new MonitorClient({ socketPath: this.socketPath });
  }

  get dataDir(): string {
    return join(this.folder, 'monitor');
  }

  /** Starts a monitor in this process. */
  async start(options: Partial<StartMonitorOptions> = {}): Promise<void> {
    const monitor = await startMonitor({
      dataDir: this.dataDir,
      socketPath: this.socketPath,
      logger: silentLogger,
      ...options,
    });
    this.#close = () => monitor.close();
  }

  /** Lets another monitor take the first one's place, with the same containers. */
  async startAnew(): Promise<void> {
    await this.#close();
    await this.start();
    // What is called on the connection to the first one is lost.
    await this.client.call('version', {}).catch(() => {});
  }

  logPath(id: string): string {
    return join(this.folder, `${id}.log`);
  }

  /** Makes and starts a container. */
  async run(args: string[], options: TestContainer = {}): Promise<ContainerStatus> {
    return this.client.call('container.create', this.request(args, options));
  }

  request(args: string[], options: TestContainer = {}) {
    const id = `c${this.#next++}`;
    const terminal = options.terminal ?? false;
    const bundle = makeBundle({
      folder: join(this.folder, 'bundles', id),
      rootfs: join(this.folder, 'rootfs'),
      cgroupsPath: `${this.cgroup}/${id}`,
      process: processOf(args, { terminal, ...options.process }),
      ...(options.memoryLimitBytes && { memoryLimitBytes: options.memoryLimitBytes }),
      ...(options.hostPids && { hostPids: true }),
    });
    return {
      id,
      sandboxId: 'sandbox',
      bundle,
      terminal,
      stdin: options.stdin ?? false,
      stdinOnce: options.stdinOnce ?? false,
      logPath: options.log === false ? null : this.logPath(id),
      killLeftovers: options.hostPids ?? false,
      start: true,
    };
  }

  /** The log's records, split. */
  log(id: string): { stream: string; tag: string; content: string }[] {
    if (!existsSync(this.logPath(id))) return [];
    const lines = readFileSync(this.logPath(id), 'latin1').split('\n').slice(0, -1);
    return lines.map((line) => {
      const [, stream = '', tag = '', content = ''] = /^\S+ (stdout|stderr) ([PF]) (.*)$/s.exec(line) ?? [];
      return { stream, tag, content };
    });
  }

  /** Removes all containers and everything else. */
  async stop(): Promise<void> {
    const { containers } = await this.client.call('container.list', {});
    for (const { id } of containers) await this.client.call('container.delete', { id, force: true });
    await this.client.close();
    await this.#close();
    removeGroup(foldersAt(detectCgroups(), this.cgroup));
    this.#remove();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }
}

/** How much slower than usual this machine is: 1, or `WHERRY_TEST_SLOWNESS`, e.g. under software emulation. */
export const slowness = Number(process.env['WHERRY_TEST_SLOWNESS'] ?? '1');

/** Waits until `condition` holds; fails after `timeoutMs`, or more where all is slower. */
export async function until(condition: () => boolean, timeoutMs = 5000): Promise<void> {
  const deadline = performance.now() + timeoutMs * slowness;
  while (!condition()) {
    if (performance.now() > deadline)
      throw new Error(`still not so after ${timeoutMs} ms: ${condition.toString()}`);
    await delay(10);
  }
}

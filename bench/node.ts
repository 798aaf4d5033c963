import { type ExecFileOptions, execFile, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { busyboxImage } from '../conformance/peers/image.ts';
import { ApiAccess } from './api-access.ts';
import type { Side } from './side.ts';
import { commandOf } from './tree.ts';

const run = promisify(execFile);
const ownTree = join(import.meta.dirname, '..');

/** The image that measured pods run. */
export const image = 'bench.test/busybox:1';

/** The environment that makes kubectl take one transport for exec, attach and port-forward. */
export const transports = {
  websocket: {},
  spdy: { KUBECTL_REMOTE_COMMAND_WEBSOCKETS: 'false', KUBECTL_PORT_FORWARD_WEBSOCKETS: 'false' },
};

/** One process of the node. */
export interface NodeProcess {
  role: string;
  pid: number;
}

/** A wherry node of its own, measured from outside: by its API and by kubectl. */
export class MeasuredNode implements Side {
  readonly image = image;
  readonly dataDir: string;
  readonly kubeconfig: string;
  readonly readyMs: number;
  readonly api: ApiAccess;
  readonly #command: string;

  private constructor(command: string, dataDir: string, readyMs: number) {
    this.#command = command;
    this.dataDir = dataDir;
    this.readyMs = readyMs;
    this.kubeconfig = join(dataDir, 'kubeconfig');
    this.api = new ApiAccess(this.kubeconfig);
  }

  /**
   * Starts a node of this tree, or of another, in a new folder and with further flags, and loads the image; `readyMs` is how
   * long `up` took until the node was Ready.
   */
  static async start(tree = ownTree, flags: readonly string[] = []): Promise<MeasuredNode> {
    const command = commandOf(tree);
    const dataDir = await mkdtemp(join(tmpdir(), 'wherry-bench-'));
    const before = performance.now();
    await run(process.execPath, [
      command,
      'up',
      '--data-dir',
      dataDir,
      ...'--api-port 0 --kubelet-port 0 --detach'.split(' '),
      ...flags,
    ]);
    const node = new MeasuredNode(command, dataDir, performance.now() - before);
    await node.#loadImage();
    return node;
  }

  /** The API server's URL, `https://HOST:PORT`. */
  get server(): string {
    return this.api.server.origin;
  }

  async close(): Promise<void> {
    this.api.close();
    await run(process.execPath, [this.#command, 'down', '--data-dir', this.dataDir, '--purge']);
    await rm(this.dataDir, { recursive: true, force: true });
  }

  async processes(): Promise<NodeProcess[]> {
    return (await this.#status()).processes;
  }

  async criSocket(): Promise<string> {
    return (await this.#status()).endpoints.cri;
  }

  async #status(): Promise<{ processes: NodeProcess[]; endpoints: { cri: string } }> {
    const words = [this.#command, 'status', '--data-dir', this.dataDir, '--json'];
    return JSON.parse((await run(process.execPath, words)).stdout);
  }

  /** Runs kubectl to its end. */
  async kubectl(args: string[], env: NodeJS.ProcessEnv = {}, options: ExecFileOptions = {}): Promise<string> {
    const { stdout } = await run('kubectl', args, { ...options, env: this.environment(env) });
    return String(stdout);
  }

  environment(more: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
    return { ...process.env, KUBECONFIG: this.kubeconfig, ...more };
  }

  /** Sends one request and reads the whole answer. Rejects on a status of 400 or more. */
  request(method: string, path: string, body?: object): Promise<string> {
    return this.api.request(method, path, body);
  }

  async #loadImage(): Promise<void> {
    const archive = await busyboxImage({ name: image });
    const load = spawn(process.execPath, [this.#command, 'image', 'load', '-', '--data-dir', this.dataDir], {
      stdio: ['pipe', 'ignore', 'inherit'],
    });
    load.stdin.end(archive);
    const [code] = await new Promise<unknown[]>((resolve) => load.on('exit', (...result) => resolve(result)));
    if (code !== 0) throw new Error(`wherry image load failed with exit code ${code}`);
  }
}

/** A pod of one busybox container, with the usual projected token and no grace period. */
export function podManifest(
  name: string,
  command: string[] = ['sleep', '86400'],
  from: string = image,
): object {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name },
    spec: {
      terminationGracePeriodSeconds: 0,
      containers: [{ name: 'main', image: from, imagePullPolicy: 'IfNotPresent', command }],
    },
  };
}

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { NodeStatus } from '@wherry/node';
import { type Finished, type RunOptions, run, start } from './command.ts';
import { buildTestImage, testImage } from './image.ts';
import { unlessKubectlHas } from './kubectl-version.ts';
import { slowness, stretched } from './slowness.ts';

/** The command line, started with any Node. */
export const wherryEntry = new URL('../packages/wherry/bin/wherry.cjs', import.meta.url).pathname;
const startTimeoutMs = 90_000;
const readySeconds = 60;
const pollMs = 50;
const pollMsMax = 500;

/** The two transports of kubectl; each streaming test runs once over each that this kubectl has. */
export const transports = [
  { name: 'WebSocket', env: {}, skip: unlessKubectlHas('WebSockets') },
  {
    name: 'SPDY',
    env: { KUBECTL_REMOTE_COMMAND_WEBSOCKETS: 'false', KUBECTL_PORT_FORWARD_WEBSOCKETS: 'false' },
    skip: false,
  },
] as const satisfies { name: string; env: Record<string, string>; skip: string | false }[];

/** Runs the wherry command line. */
export function wherry(words: readonly string[], options: RunOptions = {}): Promise<Finished> {
  return run(process.execPath, [wherryEntry, ...words], { timeoutMs: startTimeoutMs, ...options });
}

/** A real node in a folder of its own, driven by the real kubectl. */
export class TestNode {
  readonly dataDir: string;
  readonly name: string;
  /** The command line that {@link up} takes. */
  entry: string;

  /** kubectl's caches live apart from the node, whose purge must leave nothing. */
  readonly #home: string;
  readonly #flags: readonly string[];

  private constructor(dataDir: string, name: string, flags: readonly string[], entry: string) {
    this.entry = entry;
    this.#flags = flags;
    this.#home = mkdtempSync(join(tmpdir(), 'wherry-e2e-home-'));
    this.dataDir = dataDir;
    this.name = name;
  }

  /** Starts a node with the test image and these flags more, in a folder of its own below `root`, by that command line. Purged by {@link remove}. */
  static async start(
    name = 'e2e',
    flags: readonly string[] = [],
    root: string = tmpdir(),
    entry: string = wherryEntry,
  ): Promise<TestNode> {
    const node = new TestNode(mkdtempSync(join(root, 'wherry-e2e-')), name, flags, entry);
    try {
      await node.up();
      await buildTestImage(node.dataDir);
      return node;
    } catch (error) {
      await node.remove();
      throw error;
    }
  }

  get kubeconfig(): string {
    return join(this.dataDir, 'kubeconfig');
  }

  /** `wherry up` on this node's folder; throws with its output when it fails. */
  async up(): Promise<void> {
    const patience = ['--ready-timeout', String(readySeconds * slowness)];
    const flags = ['--data-dir', this.dataDir, '--name', this.name, '--detach', ...patience];
    await succeed(
      run(
        process.execPath,
        [this.entry, 'up', ...flags, ...this.#flags, '--api-port', '0', '--kubelet-port', '0'],
        { timeoutMs: startTimeoutMs },
      ),
      'wherry up',
    );
  }

  /** Runs kubectl against this node. */
  kubectl(words: readonly string[], options: RunOptions = {}): Promise<Finished> {
    return run('kubectl', words, { ...options, env: this.#environment(options.env) });
  }

  /** Runs kubectl, which must succeed, and gives back its stdout. */
  async kubectlOk(words: readonly string[], options: RunOptions = {}): Promise<string> {
    return (await succeed(this.kubectl(words, options), `kubectl ${words.join(' ')}`)).stdout;
  }

  /** Starts kubectl and leaves it running. */
  startKubectl(words: readonly string[], env: Record<string, string> = {}) {
    return start('kubectl', words, { env: this.#environment(env) });
  }

  /** Runs a shell line inside a pseudo-terminal of 24 rows and 80 columns. */
  inTerminal(line: string, options: RunOptions = {}): Promise<Finished> {
    return run('script', terminalWords(line), { ...options, env: this.#environment(options.env) });
  }

  /** Starts a shell line inside such a terminal and leaves it running. */
  startInTerminal(line: string, env: Record<string, string> = {}) {
    return start('script', terminalWords(line), { env: this.#environment(env) });
  }

  /** A token of a service account, as `kubectl create token` gives it, which is younger than `create --raw`. */
  async createToken(account: string, expirationSeconds?: number): Promise<string> {
    const path = `/api/v1/namespaces/default/serviceaccounts/${account}/token`;
    const spec = { expirationSeconds };
    const stdin = JSON.stringify({ apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec });
    return JSON.parse(await this.kubectlOk(['create', '--raw', path, '-f', '-'], { stdin })).status.token;
  }

  /** What `wherry status --json` says, asked without starting a program for it. */
  async status(): Promise<NodeStatus> {
    // Only some of the tests load the package.
    const { layoutOf, readRecord, statusOf } = await import('@wherry/node');
    const layout = layoutOf(this.dataDir);
    const record = readRecord(layout);
    if (!record) throw new Error(`no node in ${this.dataDir}`);
    return statusOf(layout, record);
  }

  async pidOf(role: string): Promise<number> {
    const { processes } = await this.status();
    const pid = processes.find((entry) => entry.role === role)?.pid;
    if (!pid) throw new Error(`no process of role ${role}`);
    return pid;
  }

  /** Creates objects from JSON; pods that end sooner than they are Ready, too. */
  async create(...objects: object[]): Promise<void> {
    const stdin = objects.map((object) => JSON.stringify(object)).join('\n');
    await this.kubectlOk(['apply', '-f', '-'], { stdin });
  }

  /** Creates objects from JSON and waits until the pods among them are Ready. */
  async apply(...objects: object[]): Promise<void> {
    await this.create(...objects);
    const pods = objects.filter((object): object is PodObject => 'kind' in object && object.kind === 'Pod');
    for (const { metadata } of pods) {
      const timeout = `--timeout=${readySeconds * slowness}s`;
      await this.kubectlOk(['wait', '--for=condition=Ready', `pod/${metadata.name}`, timeout]);
    }
  }

  /** `wherry down --purge`; throws when it fails. */
  async remove(): Promise<void> {
    const finished = await wherry(['down', '--data-dir', this.dataDir, '--purge']);
    if (finished.code !== 0) throw new Error(`wherry down --purge: ${finished.stderr}`);
    for (const folder of [this.dataDir, this.#home]) rmSync(folder, { recursive: true, force: true });
  }

  #environment(more: Record<string, string> = {}): Record<string, string> {
    return { KUBECONFIG: this.kubeconfig, HOME: this.#home, ...more };
  }
}

const terminalWords = (line: string) => ['-qec', `stty rows 24 cols 80; ${line}`, '/dev/null'];

interface PodObject {
  kind: 'Pod';
  metadata: { name: string };
}

/** A pod of one container that sleeps, or does what `container` says. */
export function podOf(name: string, container: object = {}, spec: object = {}) {
  return {
    apiVersion: 'v1',
    kind: 'Pod' as const,
    metadata: { name, labels: { app: name } },
    spec: {
      terminationGracePeriodSeconds: 0,
      ...spec,
      containers: [
        {
          name: 'main',
          image: testImage,
          imagePullPolicy: 'Never',
          command: ['sleep', '100000'],
          ...container,
        },
      ],
    },
  };
}

/** A pod of one container that runs a shell script. */
export const scriptPod = (name: string, script: string, spec: object = {}) =>
  podOf(name, { command: ['sh', '-c', script] }, spec);

/**
 * Looks again until `look` gives something other than undefined or false. Throws after `timeoutMs`. A look that takes
 * long, as a program does that is started for it, leaves as long to what it waits for.
 */
export async function eventually<T>(
  what: string,
  look: () => Promise<T | undefined | false> | T | undefined | false,
  timeoutMs = 30_000,
): Promise<T> {
  const deadline = performance.now() + stretched(timeoutMs);
  for (;;) {
    const began = performance.now();
    const found = await look();
    if (found !== undefined && found !== false) return found;
    const ended = performance.now();
    if (ended > deadline) throw new Error(`${what}: not within ${timeoutMs / 1000} s`);
    await delay(Math.min(Math.max(pollMs, ended - began), pollMsMax));
  }
}

async function succeed(running: Promise<Finished>, what: string): Promise<Finished> {
  const finished = await running;
  if (finished.code === 0) return finished;
  throw new Error(
    `${what} ended with ${finished.code ?? finished.signal}:\n${finished.stderr}\n${finished.stdout}`,
  );
}

/** Waits until a pod runs, or has run. */
export function hasBegun(node: TestNode, pod: string): Promise<unknown> {
  const phase = ['get', 'pod', pod, '-o', 'jsonpath={.status.phase}'];
  return eventually(`pod ${pod} to begin`, async () => (await node.kubectlOk(phase)) !== 'Pending');
}

import { resolve } from 'node:path';
import {
  type Captured,
  type CaptureInput,
  captureExec,
  type KubeObject,
  logs,
  portForward,
} from '@wherry/client';
import { type CallOptions, TestCluster } from './cluster.ts';
import { TestingError } from './errors.ts';
import { type Flags, readFlags } from './flags.ts';
import { type HostConnection, host } from './host/connection.ts';
import type { ImageParameters, Started } from './host/protocol.ts';
import { limits } from './limits.ts';
import type { Manifest } from './objects/manifests.ts';

/** An image for the node: the path of an archive (docker or OCI) or of a folder in OCI layout, or how to make one. */
export type ImageSource = string | ImageBuild;

/** A new image of one layer. */
export interface ImageBuild {
  /** `app` or `app:1`; pods name it so, with `imagePullPolicy: Never` or `IfNotPresent`. */
  name: string;
  /** The root file system: a folder, or a tar (plain, gzip, zstd). */
  from: string;
  entrypoint?: string[] | undefined;
  cmd?: string[] | undefined;
  /** `NAME=value`. */
  env?: string[] | undefined;
  /** As in a Dockerfile. Default root. */
  user?: string | undefined;
  workingDir?: string | undefined;
}

/** Options of {@link startNode}. */
export interface NodeOptions {
  /** The node's name. Default: one that no other node of the machine has. */
  name?: string | undefined;
  /** How many nodes its cluster has, 1 to 8; all but the first are called `NAME-2`, `NAME-3`, …. Default 1. */
  nodes?: number | undefined;
  /** Loaded before it is handed out, on each node. */
  images?: readonly ImageSource[] | undefined;
  /** Applied after the images are there, in this order. Pods are not waited for. */
  manifests?: readonly Manifest[] | undefined;
  /** Which groups and resources to serve beyond, or short of, the usual. */
  runtimeConfig?: Readonly<Record<string, boolean>> | undefined;
  /** As of `startApiServer`. */
  apiserverFlags?: Flags | undefined;
  /** How long the node may take to be Ready. Default 60 s. */
  readyTimeoutMs?: number | undefined;
  /** Gives the start up, and leaves nothing. */
  signal?: AbortSignal | undefined;
}

/** A pod by its name, by `NAMESPACE/NAME`, or itself. */
export type PodReference = string | KubeObject;

/** Which container, and how the command runs. */
export interface ExecOptions extends CallOptions {
  /** Default: the pod's only or default one. */
  container?: string | undefined;
  /** What the command reads. Default: nothing. */
  stdin?: CaptureInput | undefined;
}

/** Which part of a log. */
export interface LogOptions extends CallOptions {
  container?: string | undefined;
  /** The instance before the last restart. */
  previous?: boolean | undefined;
  /** The last so many lines. Default: all. */
  tailLines?: number | undefined;
}

/** A port of this machine that leads to one of a pod. */
export interface Forward extends AsyncDisposable {
  /** On 127.0.0.1. */
  readonly port: number;
  /** `http://127.0.0.1:PORT`. */
  readonly url: string;
  /** Ends every connection; the node's `close` does it too. Repeats are harmless. */
  close(): Promise<void>;
}

/** A node of a test: an API server, and a kubelet with a container runtime behind it; or several such of one cluster. */
export class TestNode extends TestCluster {
  /** The name of its Node object; of several, of the first. */
  readonly nodeName: string;
  /** The names of all. */
  readonly nodeNames: readonly string[];
  readonly #forwards = new Set<() => Promise<void>>();

  /** @internal Use `startNode`. */
  constructor(connection: HostConnection, started: Started) {
    super(connection, started);
    this.nodeNames = started.nodes;
    this.nodeName = started.nodes[0]!;
  }

  /** Puts an image on every node and resolves with its names. Throws `TestingError` `bad-argument` for a
   * file that is not there, `failed` for what is no image. */
  async load(image: ImageSource, { signal }: CallOptions = {}): Promise<string[]> {
    const { names } = await this.host.call(
      'load',
      { cluster: this.name, image: parametersOf(image) },
      signal,
    );
    return names;
  }

  /** Runs a command in a running container. Its failure is an exit code; throws only where it could not be run. */
  exec(pod: PodReference, command: readonly string[], options: ExecOptions = {}): Promise<Captured> {
    return captureExec(this.client, { ...podOf(pod), command, ...options });
  }

  /** What a container has said so far; empty before it starts. `logs` of `@wherry/client` follows one. */
  async logs(pod: PodReference, options: LogOptions = {}): Promise<string> {
    const chunks: Uint8Array[] = [];
    for await (const chunk of logs(this.client, { ...podOf(pod), ...options })) chunks.push(chunk);
    return Buffer.concat(chunks).toString('utf8');
  }

  /** Opens a free port of 127.0.0.1 that leads to a pod's port, given by number or name. */
  async forward(pod: PodReference, port: number | string, { signal }: CallOptions = {}): Promise<Forward> {
    const { pod: name, namespace } = podOf(pod);
    const running = await portForward(this.client, {
      target: { kind: 'pod', name, namespace },
      ports: [{ local: 0, remote: port }],
      addresses: ['127.0.0.1'],
      signal,
    });
    const local = running.listeners[0]?.localPort;
    if (local === undefined)
      throw new TestingError('failed', `port ${port} of pod "${name}" has no listener`);
    const close = () => {
      this.#forwards.delete(close);
      return running.close();
    };
    this.#forwards.add(close);
    return { port: local, url: `http://127.0.0.1:${local}`, close, [Symbol.asyncDispose]: close };
  }

  override async close(): Promise<void> {
    await Promise.all([...this.#forwards].map((close) => close()));
    await super.close();
  }
}

/**
 * Starts a node with certificates, network and images of its own and waits until it is Ready; several run side by side, in
 * one process and in many. Needs root and what `wherry doctor` looks for. Throws `TestingError`, with what the part that
 * failed said.
 */
export async function startNode(options: NodeOptions = {}): Promise<TestNode> {
  if (process.geteuid?.() !== 0) {
    throw new TestingError('needs-root', 'a node needs root; run the tests with sudo, or use startApiServer');
  }
  const { name, nodes = 1, images = [], manifests = [], runtimeConfig, signal } = options;
  if (!Number.isInteger(nodes) || nodes < 1 || nodes > limits.nodesMax)
    throw new TestingError('bad-argument', `"nodes" is ${nodes}; a cluster has 1 to ${limits.nodesMax}`);
  const { readyTimeoutMs = limits.startTimeoutMs } = options;
  const connection = await host();
  const apiserverFlags = readFlags(options.apiserverFlags);
  const parameters = { name, nodes, runtimeConfig, apiserverFlags, readyTimeoutMs };
  const started = await connection.start('startNode', parameters, signal);
  const node = new TestNode(connection, started);
  try {
    for (const image of images) await node.load(image, { signal });
    for (const manifest of manifests) await node.apply(manifest, { signal });
    return node;
  } catch (error) {
    await node.close();
    throw error;
  }
}

function parametersOf(image: ImageSource): ImageParameters {
  if (typeof image === 'string') return { path: resolve(image) };
  const { from, ...build } = image;
  return { ...build, path: resolve(from) };
}

function podOf(pod: PodReference): { pod: string; namespace: string | undefined } {
  if (typeof pod === 'string') {
    const [first = '', second] = pod.split('/');
    return second === undefined ? { pod: first, namespace: undefined } : { pod: second, namespace: first };
  }
  const { name, namespace } = pod.metadata ?? {};
  if (!name) throw new TestingError('bad-argument', 'the pod has no metadata.name');
  return { pod: name, namespace };
}

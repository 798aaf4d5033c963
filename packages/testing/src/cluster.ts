import { readFileSync } from 'node:fs';
import {
  createKubeClient,
  type KubeClient,
  type Kubeconfig,
  type KubeObject,
  parseKubeconfig,
  type WaitOptions,
} from '@wherry/client';
import { TestingError } from './errors.ts';
import { type HostConnection, host } from './host/connection.ts';
import type { Started } from './host/protocol.ts';
import { applyObjects } from './objects/apply.ts';
import { withReasons } from './objects/failed-wait.ts';
import { type Manifest, objectsOf } from './objects/manifests.ts';

/** A copy of all objects, see {@link TestCluster.snapshot}. */
export interface Snapshot {
  /** How many objects it has. */
  readonly objects: number;
}

/** How to reach the cluster. */
export interface KubeconfigFile {
  /** Path of the file: for `KUBECONFIG`, `--kubeconfig` and programs that read it. Gone with the cluster. */
  readonly path: string;
  /** What is in it. */
  readonly object: Kubeconfig;
}

/** What a call may be given up by. */
export interface CallOptions {
  signal?: AbortSignal | undefined;
}

const snapshotNames = new WeakMap<Snapshot, string>();

/** An API server of a test, as its administrator. Ends with `await using`, by {@link close}, or with the test process. */
export class TestCluster implements AsyncDisposable {
  readonly kubeconfig: KubeconfigFile;
  /** A client of the administrator; closed with the cluster. */
  readonly client: KubeClient;
  /**
   * Resolves with an object (itself, `KIND/NAME`, or kind and name apart) once `condition` holds: `Ready`,
   * `condition=Ready=False`, `jsonpath={.status.phase}=Running`, `create`, `delete`, or a function of the object. At most
   * 30 s later unless `timeoutMs` says otherwise; what is not there yet is waited for. Throws `ClientError` `timed-out`
   * with how it stands: for pods, and what selects them, with what they wait for and their last words.
   */
  readonly waitFor: KubeClient['waitFor'];
  protected readonly host: HostConnection;
  protected readonly name: string;
  #ending: Promise<void> | undefined;

  /** @internal Use `startApiServer` or `startNode`. */
  constructor(connection: HostConnection, { cluster, kubeconfig: path }: Started) {
    this.host = connection;
    this.name = cluster;
    this.kubeconfig = { path, object: parseKubeconfig(readFileSync(path, 'utf8'), path) };
    this.client = createKubeClient({ kubeconfig: path });
    this.waitFor = (async (target: string, condition: string, options: WaitOptions = {}) => {
      try {
        return await this.client.waitFor(target, condition, options);
      } catch (error) {
        throw await withReasons(error, { client: this.client, target, namespace: options.namespace });
      }
    }) as KubeClient['waitFor'];
  }

  /**
   * Applies objects in their order, on the server's side, as the field manager `wherry-testing`, and resolves with them as
   * stored. Takes an object, a list, YAML or JSON text, or the path of a file or folder. May be repeated. Throws
   * `StatusError` for what the server refuses, `ClientError` for a kind that it has not, `TestingError` `bad-argument` for
   * a file or text that has no objects.
   */
  async apply(manifest: Manifest, { signal }: CallOptions = {}): Promise<KubeObject[]> {
    return await applyObjects(this.client, objectsOf(manifest), signal);
  }

  /**
   * Copies all objects but events, at most 16 times in a cluster. Not copied: what containers wrote, images, the node's own
   * object.
   */
  async snapshot({ signal }: CallOptions = {}): Promise<Snapshot> {
    const { snapshot, objects } = await this.host.call('snapshot', { cluster: this.name }, signal);
    const copy: Snapshot = { objects };
    snapshotNames.set(copy, `${this.name}/${snapshot}`);
    return copy;
  }

  /**
   * Makes all objects what they were: later ones, and later events, go at once, without finalizers or grace, and changed and deleted ones come
   * back as they were, uid included. Watches go on and see it. A node ends and starts pods after it, as after any change.
   */
  async restore(snapshot: Snapshot, { signal }: CallOptions = {}): Promise<void> {
    const [cluster, name = ''] = snapshotNames.get(snapshot)?.split('/') ?? [];
    if (cluster !== this.name) throw new TestingError('bad-argument', 'the snapshot is of another cluster');
    await this.host.call('restore', { cluster: this.name, snapshot: name }, signal);
  }

  /** Ends the cluster and removes everything of it. Repeats are harmless. */
  close(): Promise<void> {
    this.#ending ??= this.#end();
    return this.#ending;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #end(): Promise<void> {
    this.client.close();
    if (this.host.isAlive) await this.host.call('stop', { cluster: this.name });
    // Its host was killed, and what it held is cleared by the next.
    else await (await host()).call('sweep', {});
  }
}

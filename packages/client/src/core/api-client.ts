import { findResourceOfKind, formatApiVersion } from '@wherry/kubeapi/objects';
import type { RemoteCommandConnection } from '@wherry/remotecommand';
import { ClientError } from '../errors.ts';
import { ApiRequests, type ApiRequestsOptions } from '../http/requests.ts';
import type { KubeObject, ResourceType } from '../objects/objects.ts';
import { type ApplyOptions, applyAll } from '../resources/apply.ts';
import { KindNames, type KindRef } from '../resources/kind-names.ts';
import { Listing } from '../resources/listing.ts';
import { parseManifests } from '../resources/manifests.ts';
import {
  type DeleteOptions,
  type PatchType,
  ResourceClient,
  type WriteOptions,
} from '../resources/resource-client.ts';
import {
  type NamedObject,
  type ObjectAt,
  type ObjectOfKind,
  type ParsedTarget,
  parseTarget,
  type Target,
} from '../resources/target.ts';
import type { WatchEvent } from '../resources/watch-events.ts';
import { type Captured, type CaptureOptions, captureExec } from '../sessions/capture.ts';
import { logLines } from '../sessions/log-lines.ts';
import type { LogOptions } from '../sessions/logs.ts';
import type { SessionRequest } from '../sessions/session.ts';
import type { SessionDoor } from '../sessions/session-door.ts';
import { followChanges } from '../watch/follow.ts';
import { followUntil, type SeeChange } from '../watch/follow-until.ts';
import { Informer, type InformerHandlers } from '../watch/informer.ts';
import type { Indices } from '../watch/store.ts';
import type { WaitCondition } from '../watch/wait-condition.ts';
import { type WaitOptions, waitFor } from '../watch/wait-for.ts';

/** What an {@link ApiClient} is made of. */
export interface ApiClientOptions extends ApiRequestsOptions {
  sessions: SessionDoor;
  /** Meant where none is named. Default `default`. */
  namespace?: string | undefined;
}

/** Which objects of a kind. */
export interface SelectionOptions {
  /** Default: the client's. */
  namespace?: string | undefined;
  allNamespaces?: boolean | undefined;
  labelSelector?: string | undefined;
  fieldSelector?: string | undefined;
  signal?: AbortSignal | undefined;
}

/** Where to look for an object that is named. */
export interface ReadOptions {
  /** Default: the target's, else the client's. */
  namespace?: string | undefined;
  signal?: AbortSignal | undefined;
}

/** How to change an object. */
export interface ChangeOptions extends WriteOptions {
  /**
   * Default: `json` for a list of operations, `strategic` for built-in kinds, which merge lists by their keys, and
   * `merge` for all others.
   */
  type?: Exclude<PatchType, 'apply'> | undefined;
}

/** What an informer follows, and what it keeps. */
export interface FollowingOptions<T> extends SelectionOptions {
  handlers?: InformerHandlers<T> | undefined;
  indices?: Indices<T> | undefined;
}

/**
 * A client of one API server, wherever JavaScript runs: the verbs by object or by name, and what is built on them. An
 * object is found by itself, as `Pod/web`, or as `{ kind: 'Pod', name: 'web' }`; names of built-in kinds give their
 * types, all others take a type argument. Each verb throws `StatusError`, `ClientError` or `signal.reason`.
 */
export class ApiClient extends ApiRequests {
  readonly namespace: string;
  readonly #sessions: SessionDoor;
  readonly #kinds = new KindNames(this);
  readonly #closed = new AbortController();

  constructor(options: ApiClientOptions) {
    super(options);
    this.namespace = options.namespace ?? 'default';
    this.#sessions = options.sessions;
  }

  /** The verbs of one kind of object, without discovery. */
  resource<T extends KubeObject>(type: ResourceType<T>): ResourceClient<T> {
    return new ResourceClient(this, type);
  }

  /** The same verbs, whose reads fetch nothing but `metadata`. */
  metadata(type: ResourceType): ResourceClient<KubeObject> {
    return new ResourceClient<KubeObject>(this, type, 'metadata');
  }

  /** Which resource a kind is: `Pod`, `deploy`, `widgets.example.com`, an object. Throws `ClientError` `unknown-kind`. */
  findKind(kind: KindRef, signal?: AbortSignal): Promise<ResourceType> {
    return this.#kinds.find(kind, signal);
  }

  /** The object as the server has it. */
  get<const R extends Target>(target: R, options?: ReadOptions): Promise<ObjectAt<R>>;
  get<T extends KubeObject>(target: string | NamedObject, options?: ReadOptions): Promise<T>;
  async get(target: Target, options: ReadOptions = {}): Promise<KubeObject> {
    const { resource, name, namespace } = await this.#find(target, options);
    return resource.get({ name, namespace, signal: options.signal });
  }

  /** The objects of a kind, page by page while they are read. */
  list<const R extends KindRef>(kind: R, options?: SelectionOptions): Listing<ObjectOfKind<R>>;
  list<T extends KubeObject>(kind: KindRef, options?: SelectionOptions): Listing<T>;
  list(kind: KindRef, options: SelectionOptions = {}): Listing<KubeObject> {
    return new Listing(this.#verbs(kind, options), this.#selection(options));
  }

  /**
   * The objects of a kind as ADDED, then their changes, each once and in order, until the loop is left or `signal`
   * aborts: torn and silent connections are taken up again, and servers that fail are asked again. Throws a 410 `StatusError`
   * when the server no longer knows where it was; an {@link informer} lists anew then, and tells the difference.
   */
  watch<const R extends KindRef>(
    kind: R,
    options?: SelectionOptions,
  ): AsyncGenerator<WatchEvent<ObjectOfKind<R>>, void>;
  watch<T extends KubeObject>(kind: KindRef, options?: SelectionOptions): AsyncGenerator<WatchEvent<T>, void>;
  async *watch(kind: KindRef, options: SelectionOptions = {}): AsyncGenerator<WatchEvent<KubeObject>, void> {
    const { signal, ...select } = this.#followed(options);
    const resource = await this.#verbs(kind, options);
    const list = await resource.listAll({ ...select, signal });
    // A list does not say of each item what it is, as a watch does.
    const { group, version, kind: kindName } = resource.type;
    const stamp = { apiVersion: formatApiVersion(group, version), kind: kindName };
    for (const item of list.items) yield { type: 'ADDED', object: { ...stamp, ...item } };
    const events = followChanges({
      ...{ resource, select, resourceVersion: list.metadata?.resourceVersion ?? '0', clock: this.clock },
      random: Math.random,
      signal,
      outlivesServerErrors: true,
      failed: () => {},
    });
    for await (const event of events) if (event.type !== 'BOOKMARK') yield event;
  }

  /** A local copy that follows the objects of a kind; `start()` begins, and `await using` ends it. */
  informer<T extends KubeObject>(
    type: ResourceType<T>,
    options: FollowingOptions<NoInfer<T>> = {},
  ): Informer<T> {
    const { handlers, indices } = options;
    const select = this.#followed(options);
    const clock = this.clock;
    const resource = this.resource(type);
    return new Informer<T>({ resource, ...select, clock, indices, handlers, streamsList: true });
  }

  /**
   * Follows the objects of a kind until `see` answers true: those that are there as ADDED, SYNCED once all are known, and each
   * change. Torn and silent connections are taken up again; after a version that the server has forgotten the difference is
   * told. Throws what `see` throws.
   */
  followUntil<const R extends KindRef>(
    kind: R,
    see: SeeChange<ObjectOfKind<R>>,
    options?: SelectionOptions,
  ): Promise<void>;
  followUntil<T extends KubeObject>(
    kind: KindRef,
    see: SeeChange<T>,
    options?: SelectionOptions,
  ): Promise<void>;
  async followUntil(
    kind: KindRef,
    see: SeeChange<KubeObject>,
    options: SelectionOptions = {},
  ): Promise<void> {
    const resource = await this.#verbs(kind, options);
    await followUntil({ resource, see, clock: this.clock, ...this.#followed(options) });
  }

  /** Creates an object; one that is there already is a 409 `StatusError` with reason `AlreadyExists`. */
  async create<T extends KubeObject>(object: T, options: WriteOptions = {}): Promise<T> {
    return (await this.#verbs(object, options)).create(object, options) as Promise<T>;
  }

  /** Puts an object in the place of the one of its name; a stale `metadata.resourceVersion` is a 409 `StatusError`. */
  async replace<T extends KubeObject>(object: T, options: WriteOptions = {}): Promise<T> {
    return (await this.#verbs(object, options)).update(object, options) as Promise<T>;
  }

  /** Changes an object by what differs: an object to be merged in, or a list of JSON Patch operations. */
  patch<const R extends Target>(target: R, patch: unknown, options?: ChangeOptions): Promise<ObjectAt<R>>;
  patch<T extends KubeObject>(
    target: string | NamedObject,
    patch: unknown,
    options?: ChangeOptions,
  ): Promise<T>;
  async patch(target: Target, patch: unknown, options: ChangeOptions = {}): Promise<KubeObject> {
    const { resource, name, namespace } = await this.#find(target, options);
    const merge = findResourceOfKind(resource.type) ? 'strategic' : 'merge';
    const type = options.type ?? (Array.isArray(patch) ? 'json' : merge);
    return resource.patch({ ...options, name, namespace, patch, type });
  }

  /** Accepts the deletion; the object is gone after its grace period: see {@link waitFor}. */
  async delete(target: Target, options: DeleteOptions & ReadOptions = {}): Promise<void> {
    const { namespace: _where, ...how } = options;
    const { resource, name, namespace } = await this.#find(target, options);
    await resource.delete({ name, namespace }, how);
  }

  /**
   * Server-side apply, in order: of an object, of several, or of YAML or JSON text with any number of documents. Throws
   * at the first that fails: those before it are applied.
   */
  apply(text: string, options?: ApplyOptions): Promise<KubeObject[]>;
  apply<T extends KubeObject>(objects: readonly T[], options?: ApplyOptions): Promise<T[]>;
  apply<T extends KubeObject>(object: T, options?: ApplyOptions): Promise<T>;
  async apply(
    what: string | KubeObject | readonly KubeObject[],
    options: ApplyOptions = {},
  ): Promise<KubeObject | KubeObject[]> {
    const objects = typeof what === 'string' ? parseManifests(what) : [what].flat();
    const applied = await applyAll({ sender: this, kinds: this.#kinds }, objects as KubeObject[], options);
    return typeof what === 'string' || Array.isArray(what) ? applied : (applied[0] as KubeObject);
  }

  /** Waits until an object is as it should be, and gives it back as it then is; see {@link WaitCondition}. */
  waitFor<const R extends Target>(
    target: R,
    condition: WaitCondition<ObjectAt<R>>,
    options?: WaitOptions,
  ): Promise<ObjectAt<R>>;
  waitFor<T extends KubeObject>(
    target: string | NamedObject,
    condition: WaitCondition<T>,
    options?: WaitOptions,
  ): Promise<T>;
  async waitFor(
    target: Target,
    condition: WaitCondition<KubeObject>,
    options: WaitOptions = {},
  ): Promise<KubeObject | undefined> {
    const { resource, name, namespace } = await this.#find(target, options);
    const { timeoutMs } = options;
    const signal = this.#whileOpen(options.signal);
    return waitFor({ resource, name, namespace, condition, clock: this.clock, timeoutMs, signal });
  }

  /** Runs a command in a container and keeps its output, at most `limits.captureBytesMax` per stream. */
  captureExec(options: CaptureOptions): Promise<Captured> {
    return captureExec(this, options);
  }

  /** The lines of a container's log, without their ends; with `follow` as they are written, also across cuts. */
  logLines(options: LogOptions): AsyncGenerator<string, void> {
    return logLines(this, options);
  }

  /** Opens a raw session; `openExec` and `openAttach` make its path. */
  openSession(request: SessionRequest): Promise<RemoteCommandConnection> {
    return this.#sessions.openSession(request);
  }

  /** Closes idle connections and ends what follows: waits and watches throw `ClientError` `closed`, informers stop. */
  override close(): void {
    this.#closed.abort(new ClientError('closed', 'the client was closed'));
    super.close();
  }

  async #verbs(
    kind: KindRef,
    { signal }: { signal?: AbortSignal | undefined },
  ): Promise<ResourceClient<KubeObject>> {
    return this.resource(await this.#kinds.find(kind, signal));
  }

  async #find(
    target: Target,
    options: ReadOptions,
  ): Promise<ParsedTarget & { resource: ResourceClient<KubeObject> }> {
    const parsed = parseTarget(target);
    const resource = await this.#verbs(parsed.kind, options);
    const namespace = options.namespace ?? parsed.namespace ?? this.namespace;
    return { ...parsed, resource, namespace: resource.type.namespaced ? namespace : undefined };
  }

  /** A selection that is followed until the client is closed, at the latest. */
  #followed(options: SelectionOptions) {
    return { ...this.#selection(options), signal: this.#whileOpen(options.signal) };
  }

  #whileOpen(signal: AbortSignal | undefined): AbortSignal {
    return signal ? AbortSignal.any([signal, this.#closed.signal]) : this.#closed.signal;
  }

  #selection({ namespace, allNamespaces, labelSelector, fieldSelector, signal }: SelectionOptions) {
    return {
      namespace: allNamespaces ? undefined : (namespace ?? this.namespace),
      labelSelector,
      fieldSelector,
      signal,
    };
  }
}

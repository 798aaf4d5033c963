import { type Clock, deadline } from '@wherry/clock';
import { exactJson, StatusError } from '@wherry/kubeapi/objects';
import type { HttpAnswer, HttpRequest } from '../http/door.ts';
import { limits } from '../limits.ts';
import type { KubeList, KubeObject, ResourceType } from '../objects/objects.ts';
import { type PathParts, type Query, resourcePath } from './paths.ts';
import { readWatch, type WatchEvent } from './watch-events.ts';

/** Which object a verb is about. `namespace` defaults to the object's own, where one is passed, else to the client's. */
export interface ObjectKey {
  name: string;
  namespace?: string | undefined;
}

/** Options of verbs that write. */
export interface WriteOptions {
  namespace?: string | undefined;
  /** E.g. `status`, `binding`, `token`, `eviction`, `ephemeralcontainers`. */
  subresource?: string | undefined;
  fieldManager?: string | undefined;
  fieldValidation?: 'Ignore' | 'Warn' | 'Strict' | undefined;
  /** True asks the server to do everything but store. */
  dryRun?: boolean | undefined;
  signal?: AbortSignal | undefined;
}

/** Options of lists and watches. Without `namespace` all namespaces are meant; of `deleteCollection` the client's. */
export interface SelectOptions {
  namespace?: string | undefined;
  labelSelector?: string | undefined;
  fieldSelector?: string | undefined;
  resourceVersion?: string | undefined;
  signal?: AbortSignal | undefined;
}

/** Options of one page of a list. */
export interface ListOptions extends SelectOptions {
  limit?: number | undefined;
  continue?: string | undefined;
}

/** Options of a watch. */
export interface WatchOptions extends SelectOptions {
  allowWatchBookmarks?: boolean | undefined;
  /** The server ends the watch in order after this time. */
  timeoutSeconds?: number | undefined;
  /** True asks for all objects first, as ADDED, and for a bookmark behind them (KEP-3157). */
  sendInitialEvents?: boolean | undefined;
  resourceVersionMatch?: 'NotOlderThan' | undefined;
  /** The server has taken the watch; events may be long in coming. */
  opened?: (() => void) | undefined;
}

/** Options of a whole list. */
export interface ListAllOptions extends SelectOptions {
  /** How long one page may take, in milliseconds. Default: as long as it takes. */
  pageTimeoutMs?: number | undefined;
}

/** Options of a deletion. */
export interface DeleteOptions {
  gracePeriodSeconds?: number | undefined;
  propagationPolicy?: 'Orphan' | 'Background' | 'Foreground' | undefined;
  preconditions?: { uid?: string | undefined; resourceVersion?: string | undefined } | undefined;
  dryRun?: boolean | undefined;
  signal?: AbortSignal | undefined;
}

/** The patch formats by their short names. */
export type PatchType = 'json' | 'merge' | 'strategic' | 'apply';

const patchContentTypes: Record<PatchType, string> = {
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  apply: 'application/apply-patch+yaml',
};

/** What to patch and how. */
export interface PatchOptions extends WriteOptions, ObjectKey {
  type: PatchType;
  /** An object, or a list of operations for `json`. */
  patch: unknown;
  /** Takes fields over from other managers; only with `apply`. */
  force?: boolean | undefined;
}

/** Accept headers of reads; those of `metadata` leave out all else of an object, as client-go's metadata client does. */
const accepts = {
  whole: { one: 'application/json', list: 'application/json' },
  metadata: {
    one: 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1',
    list: 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1',
  },
} as const;

/** What a {@link ResourceClient} sends its requests with: any client. */
export interface ResourceSender {
  /** Meant where none is named. */
  readonly namespace: string;
  readonly clock: Clock;
  request<T>(request: HttpRequest): Promise<T>;
  stream(request: HttpRequest): Promise<HttpAnswer>;
}

/** The verbs of one kind of object. Each throws `StatusError`, `ClientError` or `signal.reason`. */
export class ResourceClient<T extends KubeObject> {
  readonly type: ResourceType<T>;
  readonly #client: ResourceSender;
  readonly #accept: { readonly one: string; readonly list: string };

  /** `shape` is what reads ask for: whole objects, or their metadata alone. */
  constructor(client: ResourceSender, type: ResourceType<T>, shape: 'whole' | 'metadata' = 'whole') {
    this.#client = client;
    this.type = type;
    this.#accept = accepts[shape];
  }

  get(key: ObjectKey & { subresource?: string | undefined; signal?: AbortSignal | undefined }): Promise<T> {
    const path = this.#path({ namespace: key.namespace, name: key.name, subresource: key.subresource });
    const headers = { accept: this.#accept.one };
    return this.#client.request<T>({ method: 'GET', path, headers, signal: key.signal });
  }

  /** The path of a verb that is about one namespace: the one named, else the client's. */
  #path(parts: PathParts): string {
    const namespace = parts.namespace ?? this.#client.namespace;
    return resourcePath(this.type, { ...parts, namespace });
  }

  /** One page, or the whole list without `limit`. */
  async list(options: ListOptions = {}): Promise<KubeList<T>> {
    const { namespace, signal, ...query } = options;
    const path = resourcePath(this.type, { namespace, query });
    const headers = { accept: this.#accept.list };
    const list = await this.#client.request<KubeList<T>>({ method: 'GET', path, headers, signal });
    // Upstream's API server says null of metadata of no objects.
    list.items ??= [];
    return list;
  }

  /**
   * The whole list, fetched in pages of `limits.listPageSize`; its resourceVersion is that of the snapshot. When the
   * server keeps the snapshot no longer, all is fetched anew at once. Servers give a named version other than 0 only
   * unpaged from memory, so that is how it is asked for.
   */
  async listAll({ pageTimeoutMs, ...options }: ListAllOptions = {}): Promise<KubeList<T>> {
    const isPaged = !options.resourceVersion || options.resourceVersion === '0';
    const first = isPaged ? { ...options, limit: limits.listPageSize } : options;
    let page = await this.#page(first, pageTimeoutMs);
    const items = page.items;
    const { resourceVersion: _first, ...rest } = options;
    while (page.metadata?.continue) {
      const next = { ...rest, limit: limits.listPageSize, continue: page.metadata.continue };
      try {
        page = await this.#page(next, pageTimeoutMs);
      } catch (error) {
        if (!(error instanceof StatusError) || error.code !== 410) throw error;
        return this.#page(rest, pageTimeoutMs);
      }
      for (const item of page.items) items.push(item);
    }
    return { ...page, items };
  }

  async #page(options: ListOptions, timeoutMs: number | undefined): Promise<KubeList<T>> {
    if (timeoutMs === undefined) return this.list(options);
    const what = `a page of ${this.type.plural}`;
    using limit = deadline({ clock: this.#client.clock, timeoutMs, what, signal: options.signal });
    return await this.list({ ...options, signal: limit.signal });
  }

  /** Creates `object`; with `subresource` and `name` posts to e.g. `pods/NAME/binding`. */
  create<R = T>(object: R, options: WriteOptions & { name?: string } = {}): Promise<R> {
    const { name, subresource, signal } = options;
    const namespace = options.namespace ?? metadataOf(object).namespace;
    const path = this.#path({ namespace, name, subresource, query: writeQuery(options) });
    return this.#client.request<R>({ method: 'POST', path, signal, ...json(object) });
  }

  /** Replaces the object of the same name; a stale `metadata.resourceVersion` is refused with 409. */
  update(object: T, options: WriteOptions = {}): Promise<T> {
    const { name = '', namespace } = metadataOf(object);
    const { subresource, signal } = options;
    const target = { namespace: options.namespace ?? namespace, name, subresource };
    const path = this.#path({ ...target, query: writeQuery(options) });
    return this.#client.request<T>({ method: 'PUT', path, signal, ...json(object) });
  }

  patch(options: PatchOptions): Promise<T> {
    const { namespace, name, subresource, signal, type, patch, force } = options;
    const query = { ...writeQuery(options), force };
    const path = this.#path({ namespace, name, subresource, query });
    return this.#client.request<T>({
      method: 'PATCH',
      path,
      signal,
      ...json(patch, patchContentTypes[type]),
    });
  }

  /** Deletes; resolves when the server has accepted it, which with a grace period is before the object is gone. */
  async delete(key: ObjectKey, options: DeleteOptions = {}): Promise<void> {
    const path = this.#path({ namespace: key.namespace, name: key.name });
    await this.#client.request({
      method: 'DELETE',
      path,
      signal: options.signal,
      ...json(deleteBody(options)),
    });
  }

  /** Deletes all that `select` chooses. */
  async deleteCollection(select: SelectOptions, options: DeleteOptions = {}): Promise<void> {
    const { namespace, signal, ...query } = select;
    const path = this.#path({ namespace, query });
    await this.#client.request({ method: 'DELETE', path, signal, ...json(deleteBody(options)) });
  }

  /**
   * Changes from `resourceVersion` on, until the server ends the watch in order; breaking out of the loop ends it.
   * Throws `StatusError` with code 410 when the version is too old: list anew.
   */
  async *watch(options: WatchOptions): AsyncGenerator<WatchEvent<T>> {
    const { namespace, signal, opened, ...rest } = options;
    const query: Query = { ...rest, watch: true };
    const path = resourcePath(this.type, { namespace, query });
    const headers = { accept: this.#accept.one };
    const answer = await this.#client.stream({ method: 'GET', path, headers, signal });
    try {
      opened?.();
      yield* readWatch<T>(answer.body);
    } finally {
      answer.cancel();
    }
  }
}

function metadataOf(object: unknown): { name?: string; namespace?: string } {
  return (object as KubeObject).metadata ?? {};
}

function writeQuery({ fieldManager, fieldValidation, dryRun }: WriteOptions): Query {
  return { fieldManager, fieldValidation, dryRun: dryRun ? 'All' : undefined };
}

function deleteBody({ signal: _signal, dryRun, ...options }: DeleteOptions): unknown {
  return { apiVersion: 'v1', kind: 'DeleteOptions', ...options, ...(dryRun ? { dryRun: ['All'] } : {}) };
}

function json(value: unknown, contentType = 'application/json') {
  return { body: exactJson(value), headers: { 'content-type': contentType } };
}

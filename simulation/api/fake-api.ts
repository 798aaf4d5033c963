import type { Clock } from '@wherry/clock';
import {
  applyStrategicPatch,
  copyJson,
  type JsonObject,
  StatusError,
  type StatusReason,
  schemaOfKind,
} from '@wherry/kubeapi';

/** An object as it is kept. */
export interface StoredObject {
  apiVersion?: string;
  kind?: string;
  metadata: {
    name: string;
    namespace?: string;
    uid: string;
    resourceVersion: string;
    creationTimestamp: string;
    deletionTimestamp?: string;
    deletionGracePeriodSeconds?: number;
    [field: string]: unknown;
  };
  spec?: JsonObject;
  status?: { phase?: string } & JsonObject;
}

/** One change of a collection. */
export interface Change {
  type: 'ADDED' | 'MODIFIED' | 'DELETED';
  object: StoredObject;
  revision: number;
}

/** A request as the client sends it. */
export interface ApiRequest {
  method: string;
  path: string;
  body?: unknown;
}

/** What a path points at. */
export interface Target {
  collection: string;
  namespace: string | undefined;
  name: string | undefined;
  subresource: string | undefined;
  query: URLSearchParams;
}

const reasons: Readonly<Record<number, StatusReason>> = {
  404: 'NotFound',
  409: 'Conflict',
  410: 'Expired',
  504: 'Timeout',
  429: 'TooManyRequests',
  500: 'InternalError',
  503: 'ServiceUnavailable',
};

/** The error of an answer with that code. */
export function statusError(code: number, message: string): StatusError {
  return new StatusError({ code, reason: reasons[code] ?? 'Unknown', message });
}

/** Splits the path of a request into what it points at. */
export function targetOf(path: string): Target {
  const [pathname = '', search = ''] = path.split('?', 2);
  const parts = pathname
    .split('/')
    .filter((part) => part !== '')
    .map(decodeURIComponent);
  const rest = parts.slice(parts[0] === 'api' ? 2 : 3);
  const namespace = rest[0] === 'namespaces' && rest.length > 2 ? rest[1] : undefined;
  const [collection = '', name, subresource] = namespace === undefined ? rest : rest.slice(2);
  return { collection, namespace, name, subresource, query: new URLSearchParams(search) };
}

/** What a change may not be, as a sentence; undefined for what is fine. */
type Watchman = (before: StoredObject | undefined, after: StoredObject | undefined) => void;

/** The objects of an API server, with revisions, history and the pod's rules of deletion. */
export class FakeApi {
  readonly #clock: Clock;
  readonly #objects = new Map<string, StoredObject>();
  readonly #history: Change[] = [];
  readonly #listeners = new Set<(change: Change) => void>();
  #revision = 100;
  /** The newest revision that was ever told; above the current one since the store was set back. */
  #newestTold = 100;
  #compacted = 0;
  #uids = 0;
  #backup: { objects: Map<string, StoredObject>; revision: number } | undefined;
  /** Sees every change before it is told to anybody. */
  onChange: Watchman = () => {};

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get revision(): number {
    return this.#revision;
  }

  objects(collection: string): StoredObject[] {
    return [...this.#objects].filter(([key]) => key.startsWith(`${collection}/`)).map(([, object]) => object);
  }

  find(collection: string, namespace: string | undefined, name: string): StoredObject | undefined {
    return this.#objects.get(`${collection}/${namespace ?? ''}/${name}`);
  }

  /** Forgets what happened until now: who watches from before has to list anew. */
  compact(): void {
    this.#compacted = this.#revision;
    this.#history.length = 0;
  }

  backUp(): void {
    this.#backup = { objects: structuredClone(this.#objects), revision: this.#revision };
  }

  /**
   * All is as it was at {@link backUp}, revisions too; nothing of what came since is known. False without one. The next
   * write goes past all that was told, as `etcdutl snapshot restore --bump-revision --mark-compacted` has it: who came back
   * later could not know otherwise that its version is another one now.
   */
  setBack(): boolean {
    if (!this.#backup) return false;
    this.#objects.clear();
    for (const [key, object] of structuredClone(this.#backup.objects)) this.#objects.set(key, object);
    this.#newestTold = Math.max(this.#newestTold, this.#revision);
    this.#revision = this.#backup.revision;
    this.compact();
    return true;
  }

  /** Changes of a collection after `revision`, and then each that comes. Throws 410 when they are forgotten, 504 when they are still to come. */
  follow(collection: string, revision: number, listener: (change: Change) => void): () => void {
    this.#expectKnown(revision);
    if (revision < this.#compacted)
      throw statusError(410, `too old resource version: ${revision} (${this.#compacted})`);
    const hears = (change: Change) => {
      if (collectionOf(change.object) === collection) listener(change);
    };
    for (const change of this.#history) if (change.revision > revision) hears(change);
    this.#listeners.add(hears);
    return () => this.#listeners.delete(hears);
  }

  /** Answers everything but watches; events are taken and not kept. Throws `StatusError`. */
  handle({ method, path, body }: ApiRequest): unknown {
    const target = targetOf(path);
    if (target.collection === 'events') return body;
    if (method === 'POST') return this.#create(target, body as StoredObject);
    if (target.name === undefined) return this.#list(target);
    if (method === 'GET') return copyJson(this.#existing(target));
    if (method === 'PUT') return this.#update(target, body as StoredObject);
    if (method === 'PATCH') return this.#patch(target, body as JsonObject);
    if (method === 'DELETE') return this.#delete(target, body as DeleteBody);
    throw statusError(405, `${method} ${path}`);
  }

  #advance(): void {
    if (this.#newestTold > this.#revision) {
      this.#revision = this.#newestTold + 1;
      this.compact();
    }
    this.#revision += 1;
    this.#newestTold = this.#revision;
  }

  #expectKnown(revision: number): void {
    if (revision > this.#revision)
      throw statusError(504, `Too large resource version: ${revision}, current: ${this.#revision}`);
  }

  #list({ collection, namespace, query }: Target): unknown {
    this.#expectKnown(Number(query.get('resourceVersion') ?? 0));
    const selector = query.get('fieldSelector');
    const [, name] = /^metadata\.name=(.*)$/.exec(selector ?? '') ?? [];
    const items = this.objects(collection).filter(
      ({ metadata }) =>
        (namespace === undefined || metadata.namespace === namespace) &&
        (name === undefined || metadata.name === name),
    );
    return copyJson({ kind: 'List', metadata: { resourceVersion: String(this.#revision) }, items });
  }

  #create({ collection, namespace }: Target, object: StoredObject): StoredObject {
    const { name } = object.metadata;
    if (this.find(collection, namespace, name))
      throw statusError(409, `${collection} "${name}" already exists`);
    const uid = `00000000-0000-4000-8000-${String(++this.#uids).padStart(12, '0')}`;
    const creationTimestamp = stamp(this.#clock.nowMs());
    const metadata = {
      ...object.metadata,
      ...(namespace ? { namespace } : {}),
      uid,
      creationTimestamp,
      resourceVersion: '',
    };
    return this.#put(collection, undefined, { ...object, metadata });
  }

  #existing({ collection, namespace, name = '' }: Target): StoredObject {
    const object = this.find(collection, namespace, name);
    if (!object) throw statusError(404, `${collection} "${name}" not found`);
    return object;
  }

  #update(target: Target, object: StoredObject): StoredObject {
    const before = this.#existing(target);
    const { resourceVersion } = object.metadata;
    if (resourceVersion && resourceVersion !== before.metadata.resourceVersion)
      throw statusError(409, `the object has been modified`);
    return this.#put(target.collection, before, object);
  }

  #patch(target: Target, patch: JsonObject): StoredObject {
    const before = this.#existing(target);
    const { uid } = (patch['metadata'] ?? {}) as { uid?: string };
    if (uid !== undefined && uid !== before.metadata.uid) throw statusError(409, `uid mismatch`);
    const schema = schemaOfKind({ group: '', version: 'v1', kind: before.kind ?? '' });
    const wanted = target.subresource === 'status' ? { status: patch['status'] ?? {} } : patch;
    const { metadata: _own, ...fields } = wanted as JsonObject;
    const after = applyStrategicPatch(
      before as unknown as JsonObject,
      fields,
      schema,
    ) as unknown as StoredObject;
    return this.#put(target.collection, before, after);
  }

  #delete(target: Target, { gracePeriodSeconds, preconditions }: DeleteBody = {}): unknown {
    const before = this.#existing(target);
    if (preconditions?.uid && preconditions.uid !== before.metadata.uid)
      throw statusError(409, `uid mismatch`);
    const own = Number(before.spec?.['terminationGracePeriodSeconds'] ?? 30);
    const isOver = before.status?.phase === 'Succeeded' || before.status?.phase === 'Failed';
    const grace = isOver ? 0 : (gracePeriodSeconds ?? own);
    if (target.collection !== 'pods' || grace === 0) this.#remove(target, before);
    else {
      const known = before.metadata.deletionGracePeriodSeconds;
      const seconds = Math.min(grace, known ?? grace);
      const deletionTimestamp = stamp(this.#clock.nowMs() + seconds * 1_000);
      if (known === seconds) return {};
      const metadata = { ...before.metadata, deletionTimestamp, deletionGracePeriodSeconds: seconds };
      this.#put(target.collection, before, { ...before, metadata });
    }
    return { kind: 'Status', status: 'Success' };
  }

  #put(collection: string, before: StoredObject | undefined, object: StoredObject): StoredObject {
    const { namespace, name } = object.metadata;
    if (before && JSON.stringify(before) === JSON.stringify(object)) return copyJson(before);
    this.#advance();
    const after = copyJson({
      ...object,
      metadata: { ...object.metadata, resourceVersion: String(this.#revision) },
    });
    this.onChange(before, after);
    collections.set(after, collection);
    this.#objects.set(`${collection}/${namespace ?? ''}/${name}`, after);
    this.#tell({ type: before ? 'MODIFIED' : 'ADDED', object: after, revision: this.#revision });
    return copyJson(after);
  }

  #remove({ collection }: Target, before: StoredObject): void {
    const { namespace, name } = before.metadata;
    this.onChange(before, undefined);
    this.#advance();
    this.#objects.delete(`${collection}/${namespace ?? ''}/${name}`);
    const object = { ...before, metadata: { ...before.metadata, resourceVersion: String(this.#revision) } };
    collections.set(object, collection);
    this.#tell({ type: 'DELETED', object, revision: this.#revision });
  }

  #tell(change: Change): void {
    this.#history.push(change);
    for (const listener of [...this.#listeners]) listener(change);
  }
}

interface DeleteBody {
  gracePeriodSeconds?: number;
  preconditions?: { uid?: string };
}

const collections = new WeakMap<StoredObject, string>();
const collectionOf = (object: StoredObject) => collections.get(object);
const stamp = (ms: number) => new Date(ms).toISOString().replace(/\.\d+Z$/, 'Z');

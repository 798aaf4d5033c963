import { isDeepStrictEqual } from 'node:util';
import {
  alreadyExists,
  badRequest,
  conflict,
  formatApiVersion,
  type GroupVersionKind,
  notFound,
  type ObjectMeta,
  parseExactJson,
  pathSegment,
  type ResourceRef,
  StatusError,
  staleResourceVersion,
} from '@wherry/kubeapi';
import { limits } from '../limits.ts';
import { StoreError } from '../store/errors.ts';
import { upstreamKey } from '../store/etcd/etcd-layout.ts';
import type { Store, StoreWrite } from '../store/store.ts';
import type { StoredValue } from '../store/stored-value.ts';
import type { ApiObject } from './api-object.ts';
import { type StoredText, shownSnapshots, storedForm } from './shown-snapshots.ts';
import { Snapshot } from './snapshot.ts';
import { toStoredText } from './stored-text.ts';
import { keyOf, type ServedResource } from './strategy.ts';
import { Turns } from './turns.ts';

/** Which object. */
export interface ObjectKey {
  namespace: string;
  name: string;
}

/** What must be true of the object that is written or deleted. */
export interface Preconditions {
  uid?: string | undefined;
  resourceVersion?: string | undefined;
}

/**
 * What a change turns an object into; `remove` takes it out of the store, where `isToldBefore` once it is stored as it is
 * then, so that watches are told of both. What is `alongside` is stored with it.
 */
export type Change = ({ next: ApiObject } | { remove: ApiObject; isToldBefore?: boolean }) & {
  alongside?: readonly StoreWrite[] | undefined;
};

/** How to change an object. */
export interface ChangeRequest extends ObjectKey {
  preconditions?: Preconditions | undefined;
  /** Called with a fresh copy, again when somebody else wrote meanwhile. */
  change(current: ApiObject): Change | Promise<Change>;
  /** Called when somebody else wrote in between: lets go of what the attempt holds. */
  overtaken?(): void;
  /** Ends the wait for others that change the same object. */
  signal?: AbortSignal | undefined;
  dryRun?: boolean | undefined;
  /** The answer is as of the removal, where the change is one. Default: as of the last change before. */
  isDeletion?: boolean;
}

/** The objects of one resource in the store. Throws StatusErrors. */
export class ObjectStorage {
  readonly resource: ServedResource;
  readonly store: Store;
  readonly #turns = new Turns();

  constructor(store: Store, resource: ServedResource) {
    this.store = store;
    this.resource = resource;
  }

  get gvk(): GroupVersionKind {
    return this.resource.facts;
  }

  /** How errors name the resource. */
  get ref(): ResourceRef {
    return { group: this.resource.facts.group, resource: this.resource.facts.plural };
  }

  /** Throws 400 on a name or namespace that is no segment of a path: it would be part of another object's key. */
  async find(key: ObjectKey): Promise<Snapshot | null> {
    const stored = await this.store.get(this.#keyOf(key.namespace, key.name));
    return stored ? this.#shown(stored) : null;
  }

  async get(key: ObjectKey): Promise<Snapshot> {
    const found = await this.find(key);
    if (!found) throw notFound(this.ref, key.name);
    return found;
  }

  /** Stores a new object under its own name. Throws a StoreError `conflict` when one of those `alongside` is stale. */
  async create(
    object: ApiObject,
    options: { dryRun?: boolean | undefined; alongside?: readonly StoreWrite[] } = {},
  ): Promise<Snapshot> {
    const { namespace = '', name = '' } = object.metadata;
    const key = this.#keyOf(namespace, name);
    const value = await this.#textOf(object);
    if (options.dryRun) {
      if (await this.store.get(key)) throw await this.#taken(key, name);
      return this.#shown({ value, modRevision: 0 });
    }
    const { lifetimeMs } = this.resource.strategy;
    try {
      const write = { key, value, kind: this.gvk.kind, expectedRevision: 0, lifetimeMs };
      const { revision } = await this.store.write(write, options.alongside);
      return this.#shown({ value, modRevision: revision });
    } catch (error) {
      if (isConflict(error) && error.key === key) throw await this.#taken(key, name);
      throw error;
    }
  }

  /** 409 for a name that is taken, if only for a while yet. */
  async #taken(key: string, name: string): Promise<StatusError> {
    const refusal = alreadyExists(this.ref, name);
    const stored = await this.store.get(key).catch((error: unknown) => {
      // Whoever may be there, whether it can be read or not: the name is taken.
      if (error instanceof StoreError && error.code === 'unreadable') return null;
      throw error;
    });
    if (!stored || !(await this.#shown(stored)).object.metadata.deletionTimestamp) return refusal;
    const { code, reason, message, status } = refusal;
    const { details = {} } = status;
    return new StatusError({ code, reason, message: `object is being deleted: ${message}`, details });
  }

  /**
   * Changes what is there; reads again and repeats when somebody else wrote in between. Those that were overtaken go on one
   * after the other: together they would overtake each other again and again.
   */
  async change(request: ChangeRequest): Promise<Snapshot> {
    const { namespace, name, signal } = request;
    const key = this.#keyOf(namespace, name);
    const changed = await this.#attempt(key, request);
    if (changed) return changed;
    const end = await this.#turns.begin(key, signal);
    try {
      for (let attempt = 1; attempt < limits.changeAttemptsMax; attempt += 1) {
        const changed = await this.#attempt(key, request);
        if (changed) return changed;
      }
    } finally {
      end();
    }
    throw staleResourceVersion(this.ref, name);
  }

  /** Undefined when somebody else wrote in between. */
  async #attempt(key: string, request: ChangeRequest): Promise<Snapshot | undefined> {
    const stored = await this.store.get(key);
    if (!stored) throw notFound(this.ref, request.name);
    const current = (await this.#shown(stored)).read();
    this.#checkPreconditions(current, request.preconditions);
    const change = await request.change(current);
    try {
      return await this.#write(stored, change, request);
    } catch (error) {
      if (!isConflict(error)) throw error;
      request.overtaken?.();
      return undefined;
    }
  }

  #keyOf(namespace: string, name: string): string {
    for (const [what, text] of [['Namespace', namespace] as const, ['Name', name] as const]) {
      const complaints = pathSegment(text);
      if (complaints.length === 0) continue;
      throw badRequest(`${what} parameter invalid: ${JSON.stringify(text)}: ${complaints.join(', ')}`);
    }
    return keyOf(this.resource, namespace, name);
  }

  async #write(
    stored: StoredValue,
    change: Change,
    { dryRun = false, isDeletion = false }: ChangeRequest,
  ): Promise<Snapshot> {
    const { key, modRevision } = stored;
    this.#checkVersion('remove' in change ? change.remove : change.next, modRevision);
    if ('remove' in change) {
      const isToldBefore = change.isToldBefore && !dryRun;
      const expectedRevision = isToldBefore
        ? await this.#put(stored, await this.#textOf(change.remove))
        : modRevision;
      const write = { key, value: null, expectedRevision };
      const { revision } = dryRun
        ? { revision: modRevision }
        : await this.store.write(write, change.alongside);
      const { group, version } = this.resource.facts;
      const text = toStoredText(change.remove, formatApiVersion(group, version));
      return new Snapshot(text, isDeletion ? revision : modRevision, this.resource, true);
    }
    const value = await this.#textOf(change.next);
    // As upstream: what would be encrypted otherwise now is written anew, be it the same.
    if (!stored.isStale && isSameText(value, stored.value)) return this.#shown(stored);
    if (dryRun) return this.#shown({ value, modRevision });
    return this.#shown({ value, modRevision: await this.#put(stored, value, change.alongside) });
  }

  /** Stores another value in the place of what is `stored`, and answers its revision. */
  async #put(
    { key, modRevision }: StoredValue,
    value: string,
    alongside?: readonly StoreWrite[],
  ): Promise<number> {
    const { lifetimeMs } = this.resource.strategy;
    const write = { key, value, kind: this.gvk.kind, expectedRevision: modRevision, lifetimeMs };
    return (await this.store.write(write, alongside)).revision;
  }

  async #textOf(object: ApiObject): Promise<string> {
    const { conversion, facts } = this.resource;
    if (!conversion) return toStoredText(object, formatApiVersion(facts.group, facts.version));
    return toStoredText(await storedForm(this.resource, object), conversion.storedApiVersion);
  }

  async #shown(stored: StoredText): Promise<Snapshot> {
    if (!this.resource.conversion?.remote)
      return new Snapshot(stored.value, stored.modRevision, this.resource);
    const [snapshot] = await shownSnapshots(this.resource, [stored]);
    return snapshot!;
  }

  /** 409 for who means another object than the one of this name. `kept` is that one's uid, nothing where there is none. */
  otherUid({ namespace = '', name = '' }: ObjectMeta, uid: string, kept = ''): StatusError {
    const why = `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${kept}`;
    return conflict(this.ref, name, invalidObject(this.#keyOf(namespace, name), why));
  }

  #checkPreconditions({ metadata }: ApiObject, preconditions: Preconditions = {}): void {
    const { uid, resourceVersion } = preconditions;
    const name = metadata.name ?? '';
    if (uid !== undefined && uid !== metadata.uid) throw this.otherUid(metadata, uid, metadata.uid);
    if (resourceVersion !== undefined && resourceVersion !== metadata.resourceVersion) {
      const why = `Precondition failed: ResourceVersion in precondition: ${resourceVersion}, ResourceVersion in object meta: ${metadata.resourceVersion}`;
      throw conflict(this.ref, name, invalidObject(this.#keyOf(metadata.namespace ?? '', name), why));
    }
  }

  #checkVersion({ metadata }: ApiObject, revision: number): void {
    const { resourceVersion, name = '' } = metadata;
    if (resourceVersion && resourceVersion !== '0' && resourceVersion !== String(revision)) {
      throw staleResourceVersion(this.ref, name);
    }
  }
}

/** What is not the object that was meant, as upstream's storage names it. `key` is what it is stored under. */
function invalidObject(key: string, why: string): string {
  return `StorageError: invalid object, Code: 4, Key: /registry${upstreamKey(key)}, ResourceVersion: 0, AdditionalErrorMsg: ${why}`;
}

/** The same object, be its fields in another order: then both texts are made of the same characters. */
function isSameText(left: string, right: string): boolean {
  if (left === right) return true;
  if (left.length !== right.length || sumOfCodes(left) !== sumOfCodes(right)) return false;
  return isDeepStrictEqual(parseExactJson(left), parseExactJson(right));
}

function sumOfCodes(text: string): number {
  let sum = 0;
  for (let at = 0; at < text.length; at += 1) sum += text.charCodeAt(at);
  return sum;
}

/** A store's refusal of a write since something else stands there than its writer expects. */
export function isConflict(error: unknown): error is StoreError {
  return error instanceof StoreError && error.code === 'conflict';
}

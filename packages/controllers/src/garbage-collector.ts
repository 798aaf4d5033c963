import { type KubeObject, keyOf, kinds, type ResourceType } from '@wherry/client';
import { findResourceOfKind, hasReason, type OwnerReference, parseApiVersion } from '@wherry/kubeapi';
import { type Controller, type ControllerContext, every } from './controller.ts';
import { limits } from './limits.ts';
import type { SharedInformer } from './shared-informers.ts';
import { WorkQueue } from './work-queue.ts';

/** Finalizers that ask the collector for work before the owner may go (upstream: metav1.FinalizerDeleteDependents). */
const foreground = 'foregroundDeletion';
const orphan = 'orphan';

interface Watched {
  type: ResourceType;
  informer: SharedInformer<KubeObject>;
}

/**
 * Deletes objects whose owners are all gone, and serves the finalizers of foreground and orphan deletion. Dependents
 * are looked for among pods, config maps, secrets, services and service accounts; owners may be of any kind the API
 * serves.
 */
export class GarbageCollector implements Controller {
  readonly #context: ControllerContext;
  readonly #watched: Watched[];
  readonly #queue: WorkQueue;
  readonly #sweep: Controller;

  constructor(context: ControllerContext) {
    this.#context = context;
    const { informers, clock, logger } = context;
    this.#watched = [
      { type: kinds.pods, informer: informers.pods },
      { type: kinds.configMaps, informer: informers.configMaps },
      { type: kinds.secrets, informer: informers.secrets },
      { type: kinds.services, informer: informers.services },
      { type: kinds.serviceAccounts, informer: informers.serviceAccounts },
    ];
    const work = (key: string, signal: AbortSignal) => this.#collect(key, signal);
    this.#queue = new WorkQueue({ name: 'garbage collector', clock, logger, work });
    for (const { type, informer } of this.#watched) {
      const seen = (object: KubeObject) => this.#seen(type, object);
      informer.on({ added: seen, updated: seen, deleted: (object) => this.#ownerGone(object) });
    }
    this.#sweep = every(context, limits.ownerSweepMs, async () => this.#addAllOwned());
  }

  async close(): Promise<void> {
    await this.#sweep.close();
    await this.#queue.close();
  }

  #seen(type: ResourceType, object: KubeObject): void {
    const { ownerReferences, deletionTimestamp, finalizers } = object.metadata ?? {};
    const isWaiting = deletionTimestamp && finalizers?.some((name) => name === foreground || name === orphan);
    if (ownerReferences?.length || isWaiting) this.#queue.add(`${type.plural}/${keyOf(object)}`);
  }

  #ownerGone(owner: KubeObject): void {
    for (const { type, object } of this.#dependentsOf(owner.metadata?.uid)) {
      this.#queue.add(`${type.plural}/${keyOf(object)}`);
    }
    for (const { uid } of owner.metadata?.ownerReferences ?? []) this.#recheckOwner(uid);
  }

  /** A dependent went: its owner may be waiting for that. */
  #recheckOwner(uid: string): void {
    for (const { type, informer } of this.#watched) {
      for (const object of informer.objects.values()) {
        if (object.metadata?.uid === uid) this.#seen(type, object);
      }
    }
  }

  #addAllOwned(): void {
    for (const { type, informer } of this.#watched) {
      for (const object of informer.objects.values()) this.#seen(type, object);
    }
  }

  #dependentsOf(ownerUid: string | undefined): { type: ResourceType; object: KubeObject }[] {
    return this.#watched.flatMap(({ type, informer }) =>
      [...informer.objects.values()]
        .filter((object) => object.metadata?.ownerReferences?.some(({ uid }) => uid === ownerUid))
        .map((object) => ({ type, object })),
    );
  }

  async #collect(key: string, signal: AbortSignal): Promise<void> {
    const slash = key.indexOf('/');
    const watched = this.#watched.find(({ type }) => type.plural === key.slice(0, slash));
    const object = watched?.informer.objects.get(key.slice(slash + 1));
    if (!watched || !object?.metadata) return;
    if (!this.#watched.every(({ informer }) => informer.hasSynced)) {
      return this.#queue.addAfter(key, limits.retryMs.initialMs);
    }
    if (object.metadata.deletionTimestamp) return this.#release(watched.type, object, signal);
    const owners = object.metadata.ownerReferences ?? [];
    const alive = await Promise.all(
      owners.map((owner) => this.#isAlive(owner, object.metadata?.namespace, signal)),
    );
    if (owners.length === 0 || alive.includes(true)) return;
    await this.#delete(watched.type, object, signal);
  }

  /** Serves the finalizers of an owner that is being deleted. */
  async #release(type: ResourceType, owner: KubeObject, signal: AbortSignal): Promise<void> {
    const finalizers = owner.metadata?.finalizers ?? [];
    const dependents = this.#dependentsOf(owner.metadata?.uid);
    if (finalizers.includes(orphan)) {
      for (const dependent of dependents) await this.#disown(dependent.type, dependent.object, owner, signal);
      await this.#dropFinalizer(type, owner, orphan, signal);
    } else if (finalizers.includes(foreground)) {
      for (const dependent of dependents) await this.#delete(dependent.type, dependent.object, signal);
      const isBlocked = dependents.some(({ object }) =>
        object.metadata?.ownerReferences?.some(
          (reference) => reference.uid === owner.metadata?.uid && reference.blockOwnerDeletion,
        ),
      );
      if (!isBlocked) await this.#dropFinalizer(type, owner, foreground, signal);
    }
  }

  async #isAlive(
    owner: OwnerReference,
    namespace: string | undefined,
    signal: AbortSignal,
  ): Promise<boolean> {
    const version = parseApiVersion(owner.apiVersion);
    const type = version && findResourceOfKind({ ...version, kind: owner.kind });
    // A kind that the schema does not know may live on another server: never delete on a guess.
    if (!type) return true;
    try {
      const key = { name: owner.name, ...(type.namespaced ? { namespace } : {}), signal };
      const found = await this.#context.client.resource(type as ResourceType).get(key);
      return found.metadata?.uid === owner.uid;
    } catch (error) {
      if (hasReason(error, 'NotFound')) return false;
      throw error;
    }
  }

  async #delete(type: ResourceType, object: KubeObject, signal: AbortSignal): Promise<void> {
    const { name = '', namespace, uid = '' } = object.metadata ?? {};
    const options = { propagationPolicy: 'Background', preconditions: { uid }, signal } as const;
    await ignoreAbsence(this.#context.client.resource(type).delete({ name, namespace }, options));
  }

  async #disown(
    type: ResourceType,
    object: KubeObject,
    owner: KubeObject,
    signal: AbortSignal,
  ): Promise<void> {
    const { name = '', namespace, uid, ownerReferences = [] } = object.metadata ?? {};
    const kept = ownerReferences.filter((reference) => reference.uid !== owner.metadata?.uid);
    const patch = { metadata: { uid, ownerReferences: kept } };
    const resource = this.#context.client.resource(type);
    await ignoreAbsence(resource.patch({ name, namespace, type: 'merge', patch, signal }));
  }

  async #dropFinalizer(
    type: ResourceType,
    object: KubeObject,
    finalizer: string,
    signal: AbortSignal,
  ): Promise<void> {
    const { name = '', namespace, resourceVersion, finalizers = [] } = object.metadata ?? {};
    const kept = finalizers.filter((each) => each !== finalizer);
    const patch = { metadata: { resourceVersion, finalizers: kept } };
    const resource = this.#context.client.resource(type);
    await ignoreAbsence(resource.patch({ name, namespace, type: 'merge', patch, signal }));
  }
}

async function ignoreAbsence(write: Promise<unknown>): Promise<void> {
  try {
    await write;
  } catch (error) {
    if (!hasReason(error, 'NotFound')) throw error;
  }
}

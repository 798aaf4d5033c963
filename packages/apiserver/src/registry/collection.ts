import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { Clock } from '@wherry/clock';
import {
  badRequest,
  conflict,
  generateNameConflict,
  hasReason,
  ownValue,
  setOwn,
  timeFromMs,
} from '@wherry/kubeapi';
import { type AdmissionChain, type Settling, settle } from '../admission/chain.ts';
import type { UserInfo } from '../authentication/identity.ts';
import { type Authorizer, attributesOf, refusal } from '../authorization/authorizer.ts';
import { limits } from '../limits.ts';
import type { Store } from '../store/store.ts';
import type { ApiObject } from './api-object.ts';
import { isBeingDeleted, isReadyToGo } from './deletion.ts';
import { trackFields } from './field-managers.ts';
import { generateName } from './names.ts';
import { type Change, ObjectStorage } from './object-storage.ts';
import type { WriteContext } from './request.ts';
import { checkNew, checkUpdate, setDefaults } from './rules.ts';
import type { Snapshot } from './snapshot.ts';
import type { ServedResource } from './strategy.ts';
import { WatchEvents } from './watch-events.ts';

/** What a collection works with. */
export interface CollectionOptions {
  store: Store;
  resource: ServedResource;
  admission: AdmissionChain;
  /** Asked before a verb other than `create` makes an object. */
  authorizer: Authorizer;
  clock: Clock;
}

/** How to create. */
export interface CreateSettings {
  dryRun?: boolean | undefined;
  /** The object comes from server-side apply and brings its managed fields. */
  isApply?: boolean | undefined;
}

/** How to update. */
export interface UpdateSettings {
  request: WriteContext;
  previous: ApiObject;
  dryRun: boolean;
  /** Whose the changed fields are. */
  manager: string;
  /** `next` comes from server-side apply and brings its managed fields. */
  isApply: boolean;
  /** Gets what the caller has to call once the change is stored, or has failed. */
  settling: Settling;
}

/** The objects of one resource: how they come to be and change, in the steps that all verbs share. */
export class Collection {
  readonly resource: ServedResource;
  readonly storage: ObjectStorage;
  readonly clock: Clock;
  readonly watchEvents: WatchEvents;
  readonly admission: AdmissionChain;
  readonly #authorizer: Authorizer;

  constructor({ store, resource, admission, authorizer, clock }: CollectionOptions) {
    this.resource = resource;
    this.storage = new ObjectStorage(store, resource);
    this.clock = clock;
    this.watchEvents = new WatchEvents(resource);
    this.admission = admission;
    this.#authorizer = authorizer;
  }

  /**
   * Stores a decoded object: metadata, defaults, admission, strategy, validation, in upstream's order. Throws 403 when
   * the request's own verb is another than `create` and its user may not create.
   */
  async create(object: ApiObject, request: WriteContext, options: CreateSettings = {}): Promise<Snapshot> {
    const settling: Settling = [];
    try {
      return await this.#create(object, request, { ...options, settling });
    } finally {
      settle(settling);
    }
  }

  async #create(
    object: ApiObject,
    request: WriteContext,
    { dryRun = false, isApply = false, settling }: CreateSettings & { settling: Settling },
  ): Promise<Snapshot> {
    if (request.info.verb !== 'create') await this.#authorizeCreate(request);
    const { metadata } = object;
    if (metadata.resourceVersion && metadata.resourceVersion !== '0') {
      throw badRequest('resourceVersion should not be set on objects to be created');
    }
    const generated = !metadata.name && metadata.generateName;
    if (generated) metadata.name = generateName(generated);
    this.resource.strategy.normalize?.(object);
    setDefaults(object, this.storage.gvk);
    this.#stampNew(object, isApply);
    const resource = this.resource.facts;
    const parts = { operation: 'CREATE', resource, object, dryRun } as const;
    const admission = this.admission.request(request, parts, settling);
    if (await this.admission.admit(admission)) setDefaults(object, this.storage.gvk);
    const store = async () => {
      admission.name = object.metadata.name ?? '';
      this.#prepareCreate(object, request.user);
      checkNew(object, this.storage.gvk);
      await this.admission.validate(admission);
      return this.storage.create(object, { dryRun });
    };
    return generated ? this.#createGenerated(object, store) : store();
  }

  /** Turns `current` into what a client wants it to be. `next` comes decoded, and is changed. */
  async update(current: ApiObject, next: ApiObject, options: UpdateSettings): Promise<Change> {
    const { request, dryRun, previous, settling } = options;
    this.resource.strategy.normalize?.(next);
    setDefaults(next, this.storage.gvk);
    this.#keepIdentity(next, previous);
    const resource = this.resource.facts;
    const parts = { operation: 'UPDATE', resource, object: next, previous, dryRun } as const;
    const admission = this.admission.request(request, parts, settling);
    if (await this.admission.admit(admission)) setDefaults(next, this.storage.gvk);
    this.#prepareUpdate(next, previous, request.info.subresource);
    const isStatus = request.info.subresource === 'status';
    if (!isStatus && this.#isNewGeneration(next, current))
      next.metadata.generation = (current.metadata.generation ?? 0) + 1;
    this.#trackFields(next, options);
    checkUpdate(next, previous, { gvk: this.storage.gvk, subresource: request.info.subresource });
    await this.admission.validate(admission);
    const isGone = isBeingDeleted(previous) && isReadyToGo(next, this.resource.strategy);
    return isGone ? { remove: next } : { next };
  }

  /** Now, as `Time` prints it. */
  nowText(): string {
    return timeFromMs(this.clock.nowMs());
  }

  /** Whoever may update or patch what is there may not therefore create what is not. */
  async #authorizeCreate({ user, info }: WriteContext): Promise<void> {
    const attributes = attributesOf(user, { ...info, verb: 'create' });
    const decision = await this.#authorizer.authorize(attributes);
    if (decision.outcome !== 'allow') throw refusal(attributes, decision.reason);
  }

  /** Takes another name for as long as somebody has it; each goes through all rules. */
  async #createGenerated(object: ApiObject, store: () => Promise<Snapshot>): Promise<Snapshot> {
    const base = object.metadata.generateName ?? '';
    for (let attempt = 1; attempt < limits.generateNameAttemptsMax; attempt += 1) {
      try {
        return await store();
      } catch (error) {
        if (!hasReason(error, 'AlreadyExists')) throw error;
        object.metadata.name = generateName(base);
      }
    }
    throw generateNameConflict(this.storage.ref, object.metadata.name ?? '');
  }

  #stampNew({ metadata }: ApiObject, isApply: boolean): void {
    metadata.uid = randomUUID();
    metadata.creationTimestamp = this.nowText();
    delete metadata.deletionTimestamp;
    delete metadata.deletionGracePeriodSeconds;
    delete metadata.selfLink;
    if (!isApply) delete metadata.managedFields;
    if (this.resource.strategy.desired) metadata.generation = 1;
    else delete metadata.generation;
  }

  /** What no update changes. */
  #keepIdentity({ metadata }: ApiObject, previous: ApiObject): void {
    const kept = previous.metadata;
    if (metadata.uid && metadata.uid !== kept.uid) {
      const why = `Precondition failed: UID in precondition: ${metadata.uid}, UID in object meta: ${kept.uid}`;
      throw conflict(this.storage.ref, kept.name ?? '', why);
    }
    const { uid, creationTimestamp, generation, deletionTimestamp, deletionGracePeriodSeconds } = kept;
    Object.assign(metadata, {
      uid,
      creationTimestamp,
      generation,
      deletionTimestamp,
      deletionGracePeriodSeconds,
    });
    delete metadata.selfLink;
    const isUnconditional = !metadata.resourceVersion || metadata.resourceVersion === '0';
    if (isUnconditional && !this.resource.strategy.needsVersionOnUpdate) {
      metadata.resourceVersion = kept.resourceVersion ?? '';
    }
    for (const key of ['generation', 'deletionTimestamp', 'deletionGracePeriodSeconds'] as const) {
      if (metadata[key] === undefined) delete metadata[key];
    }
  }

  /** What clients say about managed fields does not count; an apply has settled them already. */
  #trackFields(next: ApiObject, { request, previous, manager, isApply }: UpdateSettings): void {
    if (isApply) return;
    const { subresource } = request.info;
    const writer = { name: manager, resource: this.resource, subresource, nowMs: this.clock.nowMs() };
    const entries = trackFields(previous, next, writer);
    if (entries) next.metadata.managedFields = entries;
    else delete next.metadata.managedFields;
  }

  #prepareCreate(object: ApiObject, user: UserInfo): void {
    const { strategy } = this.resource;
    if (strategy.prepareCreate) strategy.prepareCreate(object, user, this.nowText());
    else if (this.#hasStatus()) delete object.status;
  }

  #prepareUpdate(next: ApiObject, previous: ApiObject, subresource: string): void {
    const { strategy } = this.resource;
    const prepareOther = ownValue(strategy.prepareSubresourceUpdate, subresource);
    if (prepareOther) prepareOther(next, previous, this.nowText());
    else if (subresource === 'status') {
      if (strategy.prepareStatusUpdate) strategy.prepareStatusUpdate(next, previous, this.nowText());
      else keepAllButStatus(next, previous);
    } else if (strategy.prepareUpdate) strategy.prepareUpdate(next, previous);
    else if (this.#hasStatus()) keepStatus(next, previous);
  }

  #hasStatus(): boolean {
    return this.resource.facts.subresources?.some(({ name }) => name === 'status') === true;
  }

  #isNewGeneration(next: ApiObject, previous: ApiObject): boolean {
    const { desired } = this.resource.strategy;
    return desired !== undefined && !isDeepStrictEqual(desired(next), desired(previous));
  }
}

function keepStatus(next: ApiObject, previous: ApiObject): void {
  if (previous.status === undefined) delete next.status;
  else next.status = previous.status;
}

function keepAllButStatus(next: ApiObject, previous: ApiObject): void {
  for (const key of Object.keys(next)) {
    if (!['kind', 'apiVersion', 'metadata', 'status'].includes(key)) delete next[key];
  }
  for (const [key, value] of Object.entries(previous)) {
    if (!['kind', 'apiVersion', 'metadata', 'status'].includes(key)) setOwn(next, key, value);
  }
}

import { randomUUID } from 'node:crypto';
import type { Clock } from '@wherry/clock';
import {
  badRequest,
  generateNameConflict,
  hasReason,
  invalid,
  invalidValue,
  type ObjectType,
  parseApiVersion,
  staleResourceVersion,
  timeFromMs,
} from '@wherry/kubeapi';
import type { AdmissionView } from '../admission/admission.ts';
import { type AdmissionChain, Settlement } from '../admission/chain.ts';
import { type Authorizer, attributesOf, refusalOf } from '../authorization/authorizer.ts';
import { expressionTurns } from '../flow/expression-turns.ts';
import { limits } from '../limits.ts';
import type { ApiObject } from '../objects/api-object.ts';
import { generateName } from '../objects/names.ts';
import { type Change, isConflict, ObjectStorage } from '../objects/object-storage.ts';
import { dropRepeatedOwners } from '../objects/owner-references.ts';
import type { Snapshot } from '../objects/snapshot.ts';
import type { ServedResource } from '../objects/strategy.ts';
import type { WriteContext } from '../requests/request.ts';
import { StoreError } from '../store/errors.ts';
import { partFor } from '../store/parted/parted-store.ts';
import type { Store } from '../store/store.ts';
import { isBeingDeleted, isReadyToGo } from './deletion.ts';
import { type FieldManager, keepTimes, trackFields } from './field-managers.ts';
import { prepareChange, prepareNew, stampGeneration } from './preparation.ts';
import type { RegistryFigures, ResourceFigures } from './resource-figures.ts';
import { checkNew, checkUpdate, type RuleSurroundings } from './rules.ts';
import { WatchEvents } from './watch-events.ts';

/** Who writes what nobody asked for. */
const ownManager = 'kube-apiserver';
const afterAdmission = ' after mutating admission happens';

/** What a collection works with. */
export interface CollectionOptions {
  store: Store;
  figures: RegistryFigures;
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
  /** Whose the fields are. Default: the server's own. */
  manager?: string | undefined;
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
  /** Nobody's fields are told of: with them the object is too large for the store. */
  withoutManagers: boolean;
  /** What the sub-resource shows of the object. Default: the object. */
  view?: AdmissionView | undefined;
  /** The caller settles once the change is stored, or has failed. */
  settlement: Settlement;
}

/** The objects of one resource: how they come to be and change, in the steps that all verbs share. */
export class Collection {
  readonly resource: ServedResource;
  readonly storage: ObjectStorage;
  readonly clock: Clock;
  readonly watchEvents: WatchEvents;
  readonly admission: AdmissionChain;
  readonly figures: ResourceFigures;
  readonly #authorizer: Authorizer;

  constructor({ store, figures, resource, admission, authorizer, clock }: CollectionOptions) {
    this.resource = resource;
    this.figures = figures.of(resource.facts, partFor(store, resource.keyPrefix));
    this.storage = new ObjectStorage(this.figures.store, resource);
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
    const settlement = new Settlement();
    await this.resource.strategy.ready?.();
    try {
      return await this.#create(object, request, { ...options, settlement });
    } finally {
      settlement.settle();
    }
  }

  async #create(
    object: ApiObject,
    request: WriteContext,
    {
      dryRun = false,
      isApply = false,
      manager = ownManager,
      settlement,
    }: CreateSettings & { settlement: Settlement },
  ): Promise<Snapshot> {
    if (request.info.verb !== 'create') await this.#authorizeCreate(request);
    const { metadata } = object;
    const generated = !metadata.name && metadata.generateName;
    if (generated) metadata.name = generateName(generated);
    this.resource.strategy.normalize?.(object);
    this.#type.setDefaults(object, isApply);
    this.#stampNew(object, isApply);
    this.#dropRepeatedOwners(object, request, '');
    if (!isApply) await trackFields(undefined, object, this.#managerOf(manager, ''));
    const resource = this.resource.facts;
    const type = this.#type;
    const parts = { operation: 'CREATE', resource, type, object, dryRun } as const;
    const admission = this.admission.request(request, parts, settlement);
    if (await this.admission.admit(admission)) this.#type.setDefaults(object);
    this.#dropRepeatedOwners(object, request, afterAdmission);
    const store = async () => {
      admission.name = object.metadata.name ?? '';
      const { user } = request;
      for (const text of prepareNew(object, this.resource, { user, nowText: this.nowText() }))
        warn(request, text);
      await checkNew(object, this.#type, this.#surroundings(request));
      this.#warn(object, undefined, request);
      settlement.begin();
      await this.admission.validate(admission);
      if (!dryRun) refuseVersion(object);
      return this.storage.create(object, { dryRun, alongside: settlement.alongside });
    };
    const insist = () =>
      withFewerManagers({ isApply }, (withoutManagers) => {
        if (withoutManagers) delete object.metadata.managedFields;
        return this.#untilUndisturbed(store, object);
      });
    if (!metadata.generateName) return insist();
    return this.#createGenerated(object, insist, generated ? limits.generateNameAttemptsMax : 1);
  }

  /** Turns `current` into what a client wants it to be. `next` comes decoded, and is changed. */
  async update(current: ApiObject, next: ApiObject, options: UpdateSettings): Promise<Change> {
    const { request, dryRun, previous, settlement } = options;
    await this.resource.strategy.ready?.();
    this.resource.strategy.normalize?.(next);
    this.#type.setDefaults(next, options.isApply);
    this.#keepIdentity(next, previous, request.info.verb);
    if (request.info.verb !== 'patch') this.#dropRepeatedOwners(next, request, '');
    // As upstream: what plug-ins add is nobody's; an apply has settled whose its fields are.
    if (options.withoutManagers) delete next.metadata.managedFields;
    else if (!options.isApply) {
      await trackFields(previous, next, this.#managerOf(options.manager, request.info.subresource));
    }
    const resource = this.resource.facts;
    const { view } = options;
    const type = this.#type;
    const parts = { operation: 'UPDATE', resource, type, view, object: next, previous, dryRun } as const;
    const admission = this.admission.request(request, parts, settlement);
    if (await this.admission.admit(admission)) this.#type.setDefaults(next);
    this.#dropRepeatedOwners(next, request, afterAdmission);
    const { subresource } = request.info;
    prepareChange(next, previous, this.resource, { subresource, nowText: this.nowText(), stored: current });
    const surroundings = this.#surroundings(request);
    await checkUpdate(next, previous, { type: this.#type, subresource, surroundings });
    if (subresource === '') this.#warn(next, previous, request);
    if (subresource === 'status') warnAll(request, this.resource.strategy.statusWarningsOf?.(next));
    settlement.begin();
    await this.admission.validate(admission);
    keepTimes(next, previous);
    const isGone = isBeingDeleted(previous) && isReadyToGo(next, this.resource.strategy);
    const { alongside } = settlement;
    return isGone ? { remove: next, alongside } : { next, alongside };
  }

  #warn(object: ApiObject, previous: ApiObject | undefined, request: WriteContext): void {
    warnAll(request, this.resource.strategy.warningsOf?.(object, previous));
  }

  #dropRepeatedOwners({ metadata }: ApiObject, request: WriteContext, when: string): void {
    const dropped = dropRepeatedOwners(metadata);
    if (dropped.length === 0) return;
    const advice =
      'API server dedups owner references in 1.20+, and may reject such requests as early as 1.24; please fix your requests';
    const found = `.metadata.ownerReferences contains duplicate entries${when}`;
    warn(request, `${found}; ${advice}; duplicate UID(s) observed: ${dropped.join(', ')}`);
  }

  /** For rules in CEL. */
  #surroundings(request: WriteContext): RuleSurroundings {
    return {
      warn: (text) => warn(request, text),
      pause: expressionTurns(this.clock),
      group: storedGroupOf(this.resource),
    };
  }

  get #type(): ObjectType {
    return this.resource.type;
  }

  /** Now, as `Time` prints it. */
  nowText(): string {
    return timeFromMs(this.clock.nowMs());
  }

  /** Whoever may update or patch what is there may not therefore create what is not. */
  async #authorizeCreate({ user, info }: WriteContext): Promise<void> {
    const attributes = attributesOf(user, { ...info, verb: 'create' });
    const decision = await this.#authorizer.authorize(attributes);
    if (decision.outcome !== 'allow') throw refusalOf(attributes, decision);
  }

  /** Tries again when somebody else has changed what is to be stored with the object. */
  async #untilUndisturbed(store: () => Promise<Snapshot>, { metadata }: ApiObject): Promise<Snapshot> {
    for (let attempt = 0; attempt < limits.changeAttemptsMax; attempt += 1) {
      try {
        return await store();
      } catch (error) {
        if (!isConflict(error)) throw error;
      }
    }
    throw staleResourceVersion(this.storage.ref, metadata.name ?? '');
  }

  /** Takes another name for as long as somebody has it; each goes through all rules. */
  async #createGenerated(
    object: ApiObject,
    store: () => Promise<Snapshot>,
    attemptsMax: number,
  ): Promise<Snapshot> {
    const { metadata } = object;
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await store();
      } catch (error) {
        if (!hasReason(error, 'AlreadyExists')) throw error;
        if (attempt >= attemptsMax) throw generateNameConflict(this.storage.ref, metadata.name ?? '');
        metadata.name = generateName(metadata.generateName ?? '');
      }
    }
  }

  #stampNew({ metadata }: ApiObject, isApply: boolean): void {
    metadata.uid = randomUUID();
    metadata.creationTimestamp = this.nowText();
    delete metadata.deletionTimestamp;
    delete metadata.deletionGracePeriodSeconds;
    delete metadata.selfLink;
    if (!isApply) delete metadata.managedFields;
    stampGeneration(metadata, this.resource);
  }

  /**
   * What no update changes: validation refuses what the client says of it otherwise. Throws 409 where the client saw another
   * version, or replaces another object than this.
   */
  #keepIdentity({ metadata }: ApiObject, previous: ApiObject, verb: string): void {
    const kept = previous.metadata;
    if (metadata.uid && metadata.uid !== kept.uid && verb !== 'patch')
      throw this.storage.otherUid(kept, metadata.uid, kept.uid);
    const { creationTimestamp, generation } = kept;
    Object.assign(metadata, { uid: metadata.uid || kept.uid, creationTimestamp, generation });
    if (kept.deletionTimestamp !== undefined) metadata.deletionTimestamp = kept.deletionTimestamp;
    if (kept.deletionGracePeriodSeconds !== undefined)
      metadata.deletionGracePeriodSeconds ??= kept.deletionGracePeriodSeconds;
    delete metadata.selfLink;
    const isUnconditional = !metadata.resourceVersion || metadata.resourceVersion === '0';
    if (isUnconditional && this.resource.strategy.needsVersionOnUpdate) {
      const { group, resource } = this.storage.ref;
      const field = 'metadata.resourceVersion';
      const missing = invalidValue(field, 0, 'must be specified for an update');
      throw invalid({ group, kind: resource }, kept.name ?? '', [missing]);
    }
    if (isUnconditional) metadata.resourceVersion = kept.resourceVersion ?? '';
    // Before anything is made of it: what was read earlier may lack what keeps the object, or hold what it no longer may.
    if (!isUnconditional && metadata.resourceVersion !== kept.resourceVersion)
      throw staleResourceVersion(this.storage.ref, kept.name ?? '');
    if (generation === undefined) delete metadata.generation;
  }

  #managerOf(name: string, subresource: string): FieldManager {
    return { name, resource: this.resource, subresource, nowMs: this.clock.nowMs() };
  }
}

/**
 * Writes once more without managed fields what is too large for the store with them, as upstream. An apply is about these
 * fields, and fails.
 */
export async function withFewerManagers<T>(
  { isApply }: { isApply: boolean },
  write: (withoutManagers: boolean) => Promise<T>,
): Promise<T> {
  try {
    return await write(false);
  } catch (error) {
    if (isApply || !(error instanceof StoreError) || error.code !== 'oversized') throw error;
    return write(true);
  }
}

/** The store's own rule, as upstream: who may not create the object at all hears of that first. */
function refuseVersion({ metadata: { resourceVersion } }: ApiObject): void {
  // What is no number is no version.
  if (/^[0-9]*[1-9][0-9]*$/.test(resourceVersion ?? ''))
    throw badRequest('resourceVersion should not be set on objects to be created');
}

/** Of the form that is stored: events of both groups are one kind. */
const storedGroupOf = ({ conversion, facts }: ServedResource): string =>
  (conversion && parseApiVersion(conversion.storedApiVersion)?.group) ?? facts.group;

const warnAll = (request: WriteContext, texts: readonly string[] = []): void => {
  for (const text of texts.slice(0, limits.warningsMax)) warn(request, text);
};

/** Once, however often the write is tried. */
function warn({ warnings }: WriteContext, text: string): void {
  if (!warnings?.includes(text)) warnings?.push(text);
}

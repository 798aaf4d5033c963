import { isDeepStrictEqual } from 'node:util';
import type { Clock } from '@wherry/clock';
import {
  approvalCondition,
  type CustomResourceDefinition,
  hasReason,
  isSoundBundle,
  loadPatternEngine,
  type ResourceFacts,
  resources,
  timeFromMs,
} from '@wherry/kubeapi';
import { type Logger, unattended } from '@wherry/telemetry';
import type { Catalog } from '../catalog/catalog.ts';
import { cleanupFinalizer } from '../kinds/apiextensions/cleanup-finalizer.ts';
import { type ApiObject, as } from '../objects/api-object.ts';
import { objectOf } from '../objects/stored-text.ts';
import type { ServedResource } from '../objects/strategy.ts';
import type { Collection } from '../registry/collection.ts';
import type { StoreEvent, StoreWatch, StoreWrite } from '../store/store.ts';
import type { WebhookClient } from '../webhooks/webhook-client.ts';
import { type Condition, holds, withDefinitionCondition } from './conditions.ts';
import type { ConversionFigures } from './conversion/conversion-figures.ts';
import { Installations } from './installations.ts';
import { deleteInstances, sweep } from './instances.ts';
import { NameTurns } from './name-turns.ts';
import { nameDefinition, takenNames } from './names.ts';

/** What custom resources are served with. */
export interface CustomResourcesOptions {
  /** The definitions. */
  definitions: Collection;
  catalog: Catalog;
  /** The collection of a resource, on the same store. */
  collect(resource: ServedResource): Collection;
  /** Who asks the servers that convert. */
  webhooks: WebhookClient;
  conversionFigures: ConversionFigures;
  clock: Clock;
  logger: Logger;
}

/** Names that a definition is given, and what is stored with them. */
interface GivenNames {
  accepted?: NonNullable<CustomResourceDefinition['status']>['acceptedNames'];
  alongside?: readonly StoreWrite[];
}

/**
 * Follows the stored definitions, one change at a time: gives them their names, puts what they define into the catalog,
 * and takes it out with all its objects when they are deleted.
 */
export class CustomResources {
  readonly #options: CustomResourcesOptions;
  readonly #installations: Installations;
  readonly #known = new Map<string, CustomResourceDefinition>();
  readonly #pending = new Set<string>();
  /** By name: tells when another object of a definition that is being deleted is gone. */
  readonly #waits = new Map<string, StoreWatch>();
  readonly #turns: NameTurns;
  #running: Promise<void> | undefined;
  #watch: StoreWatch | undefined;
  #isClosed = false;

  constructor(options: CustomResourcesOptions) {
    this.#options = options;
    this.#installations = new Installations(options);
    this.#turns = new NameTurns(options.definitions.storage.store);
  }

  /** Serves what is defined already, and follows changes until {@link close}. */
  async start(): Promise<void> {
    const { store, resource } = this.#options.definitions.storage;
    await this.#turns.start();
    const { items, revision } = await store.range({ prefix: resource.keyPrefix });
    if (items.length > 0) await loadPatternEngine();
    for (const stored of items) this.#note(stored.key, objectOf(stored, resource.facts));
    this.#watch = await store.watch({
      prefix: resource.keyPrefix,
      afterRevision: revision,
      onEvents: (events) => this.#follow(events),
    });
    await this.#running;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#watch?.close();
    this.#turns.close();
    for (const wait of this.#waits.values()) wait.close();
    await this.#running?.catch(() => {});
  }

  #follow(events: readonly StoreEvent[]): void {
    const { facts } = this.#options.definitions.resource;
    for (const { key, current } of events) this.#note(key, current && objectOf(current, facts));
  }

  #note(key: string, object: ApiObject | null): void {
    const name = key.slice(this.#options.definitions.resource.keyPrefix.length);
    const definition = object && as<CustomResourceDefinition>(object);
    if (definition) this.#known.set(name, definition);
    else this.#known.delete(name);
    // Discovery waits for the stored conditions: who changes the definition upon that finds it as it stays.
    if (definition && holds(definition, 'Established')) this.#installations.announce(name);
    if (definition?.metadata.deletionTimestamp) this.#installations.end(name);
    this.#enqueue(name);
  }

  #enqueue(name: string): void {
    if (this.#isClosed) return;
    this.#pending.add(name);
    if (this.#running) return;
    this.#running = this.#drain().finally(() => {
      this.#running = undefined;
    });
    const { logger } = this.#options;
    unattended(this.#running, { logger, task: 'the custom resources' });
  }

  async #drain(): Promise<void> {
    await loadPatternEngine();
    for (const name of this.#pending) {
      this.#pending.delete(name);
      if (this.#isClosed) return;
      try {
        await this.#settle(name);
      } catch (error) {
        this.#options.logger.error('a custom resource definition could not be acted on', { name, error });
      }
    }
  }

  async #settle(name: string): Promise<void> {
    const definition = this.#known.get(name);
    if (!definition) return this.#forget(name);
    if (definition.metadata.deletionTimestamp) return this.#remove(name, definition);
    const { group } = definition.spec;
    const turn = this.#turns.of(group);
    const others = [...this.#known.values()].filter((other) => other !== definition);
    const { accepted, condition } = nameDefinition(definition, takenNames(group, others, builtIn));
    const isFree = !isDeepStrictEqual(definition.status?.acceptedNames, accepted);
    const named = { ...definition, status: { ...definition.status, acceptedNames: accepted } };
    const isNamed = condition.status === 'True';
    // One that is served already stays so, as upstream.
    const isCallable = isSoundBundle(definition.spec.conversion?.webhook?.clientConfig ?? {});
    const isWanted = (isNamed && isCallable) || holds(definition, 'Established');
    const refusal = isWanted ? this.#installations.put(name, named) : '';
    const wrongBundle = isNamed && !isCallable ? invalidBundle : {};
    const isServed = refusal === undefined;
    const established: Condition = isServed
      ? { ...establishedTrue }
      : { ...establishedFalse, ...(refusal ? { reason: 'NotServable', message: refusal } : wrongBundle) };
    const alongside = isFree ? turn : [];
    const approval = approvalCondition(definition);
    const approved = approval && ({ type: 'KubernetesAPIApprovalPolicyConformant', ...approval } as const);
    const conditions = [...(approved ? [approved] : []), condition, established];
    try {
      await this.#writeStatus(name, definition, conditions, { accepted, alongside });
    } catch (error) {
      if (alongside.length === 0 || !hasReason(error, 'Conflict')) throw error;
      // Another server has given out names of the group that this one had not seen.
      this.#installations.remove(name);
      this.#enqueue(name);
      return;
    }
    if (isServed) this.#installations.announce(name);
    if (isFree) this.#reconsider(group, name);
  }

  /** Names have come free: others of the group may have waited for them. */
  #reconsider(group: string, name: string): void {
    for (const [other, definition] of this.#known) {
      const isContent = holds(definition, 'NamesAccepted');
      if (other !== name && definition.spec.group === group && !isContent) this.#enqueue(other);
    }
  }

  async #writeStatus(
    name: string,
    { metadata, status }: CustomResourceDefinition,
    next: readonly Condition[],
    { accepted: acceptedNames = status?.acceptedNames, alongside = [] }: GivenNames = {},
  ): Promise<void> {
    await this.#change(name, { uid: metadata.uid, alongside }, (current) => {
      const changed = { ...this.#statusWith(current, next), ...(acceptedNames ? { acceptedNames } : {}) };
      return { ...current, status: changed as unknown as ApiObject['status'] & object };
    });
  }

  #statusWith(current: ApiObject, next: readonly Condition[]): ApiObject['status'] & object {
    const nowText = timeFromMs(this.#options.clock.nowMs());
    const before = as<CustomResourceDefinition>(current).status ?? {};
    const conditions = next.reduce(
      (list, condition) => withDefinitionCondition(list, condition, nowText),
      before.conditions ?? [],
    );
    return { ...before, conditions } as unknown as ApiObject['status'] & object;
  }

  /** Changes a definition that is still the one that was looked at. */
  async #change(
    name: string,
    { uid, alongside = [] }: { uid: string | undefined; alongside?: readonly StoreWrite[] },
    change: (current: ApiObject) => ApiObject,
  ): Promise<void> {
    const { storage } = this.#options.definitions;
    if (!(await storage.find({ namespace: '', name }))) return;
    await storage.change({
      ...{ namespace: '', name, preconditions: { uid } },
      change(current) {
        const next = change(current);
        const isOver = next.metadata.deletionTimestamp && (next.metadata.finalizers ?? []).length === 0;
        return isOver ? { remove: next } : { next, alongside };
      },
    });
  }

  async #remove(name: string, definition: CustomResourceDefinition): Promise<void> {
    if (!definition.metadata.finalizers?.includes(cleanupFinalizer)) return;
    const collection = this.#installations.collectionOf(name);
    if (collection && (await deleteInstances(collection)) > 0) {
      await this.#writeStatus(name, definition, [deletionInProgress]);
      await this.#await(name, collection);
      return;
    }
    this.#waits.get(name)?.close();
    this.#waits.delete(name);
    await this.#change(name, { uid: definition.metadata.uid }, (current) => {
      const finalizers = (current.metadata.finalizers ?? []).filter((text) => text !== cleanupFinalizer);
      const status = this.#statusWith(current, [deletionCompleted]);
      return { ...current, metadata: { ...current.metadata, finalizers }, status };
    });
  }

  /** Looks again whenever one of the objects has changed. */
  async #await(name: string, { storage, resource }: Collection): Promise<void> {
    if (this.#waits.has(name)) return;
    const onEvents = (events: readonly StoreEvent[]) => {
      if (events.some(({ current }) => !current)) this.#enqueue(name);
    };
    this.#waits.set(name, await storage.store.watch({ prefix: resource.keyPrefix, onEvents }));
    this.#enqueue(name);
  }

  async #forget(name: string): Promise<void> {
    const collection = this.#installations.collectionOf(name);
    this.#installations.remove(name);
    if (!collection) return;
    await sweep(collection);
    this.#reconsider(collection.resource.facts.group, name);
  }
}

const builtIn: readonly ResourceFacts[] = resources;
const establishedTrue: Condition = {
  type: 'Established',
  status: 'True',
  reason: 'InitialNamesAccepted',
  message: 'the initial names have been accepted',
};
const establishedFalse: Condition = {
  type: 'Established',
  status: 'False',
  reason: 'NotAccepted',
  message: 'not all names are accepted',
};
const invalidBundle = { reason: 'InvalidCABundle', message: 'The conversion webhook CABundle is invalid' };
const deletionInProgress: Condition = {
  type: 'Terminating',
  status: 'True',
  reason: 'InstanceDeletionInProgress',
  message: 'CustomResource deletion is in progress',
};
const deletionCompleted: Condition = {
  type: 'Terminating',
  status: 'False',
  reason: 'InstanceDeletionCompleted',
  message: 'removed all instances',
};

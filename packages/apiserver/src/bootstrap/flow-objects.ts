import { isDeepStrictEqual } from 'node:util';
import type { Clock, Timer } from '@wherry/clock';
import {
  autoUpdateAnnotation,
  type FlowSchema,
  type JsonObject,
  mandatoryFlowSchemas,
  mandatoryPriorityLevels,
  type PriorityLevelConfiguration,
  suggestedFlowSchemas,
  suggestedPriorityLevels,
  timeFromMs,
} from '@wherry/kubeapi';
import { type Logger, unattended } from '@wherry/telemetry';
import { periods } from '../limits.ts';
import { type ApiObject, as } from '../objects/api-object.ts';
import type { ObjectCache } from '../objects/object-cache.ts';
import type { Collection } from '../registry/collection.ts';
import { deletionOf } from '../registry/deletion.ts';
import type { StoreWatch } from '../store/store.ts';
import { ensure } from './ensure.ts';

/** What the objects are kept with. */
export interface FlowObjectsOptions {
  /** FlowSchemas and PriorityLevelConfigurations. */
  schemas: Collection;
  levels: Collection;
  caches: { flowSchemas: ObjectCache<FlowSchema>; priorityLevels: ObjectCache<PriorityLevelConfiguration> };
  clock: Clock;
  logger: Logger;
}

interface BuiltIn {
  collection: Collection;
  cache: ObjectCache<{ metadata: FlowSchema['metadata'] }>;
  objects: readonly { metadata: FlowSchema['metadata']; spec: object }[];
  mandatory: readonly object[];
}

/**
 * The FlowSchemas and levels that every cluster has: made where they are missing, brought back to what they should be as
 * far as their annotation lets that be, looked at every minute. Each schema's condition says whether its level is there.
 */
export class FlowObjects {
  readonly #options: FlowObjectsOptions;
  readonly #builtIn: readonly BuiltIn[];
  #watches: StoreWatch[] = [];
  #timer: Timer | undefined;
  #running: Promise<void> | undefined;
  #isDue = false;
  #isClosed = false;

  constructor(options: FlowObjectsOptions) {
    this.#options = options;
    const { schemas, levels, caches } = options;
    this.#builtIn = [
      {
        ...{ collection: levels, cache: caches.priorityLevels, mandatory: mandatoryPriorityLevels },
        objects: [...mandatoryPriorityLevels, ...suggestedPriorityLevels],
      },
      {
        ...{ collection: schemas, cache: caches.flowSchemas, mandatory: mandatoryFlowSchemas },
        objects: [...mandatoryFlowSchemas, ...suggestedFlowSchemas],
      },
    ];
  }

  /** Once the caches have started: resolves when the objects are there. */
  async start(): Promise<void> {
    const { schemas, levels } = this.#options;
    await this.#restore();
    for (const { resource, storage } of [schemas, levels])
      this.#watches.push(
        await storage.store.watch({ prefix: resource.keyPrefix, onEvents: () => this.#settleSoon() }),
      );
    this.#settleSoon();
    this.#restoreLater();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#timer?.cancel();
    for (const watch of this.#watches) watch.close();
    await this.#running;
  }

  #restoreLater(): void {
    const { clock, logger } = this.#options;
    if (this.#isClosed) return;
    this.#timer = clock.after(periods.flowObjectsMs, () => {
      const restored = this.#restore().finally(() => this.#restoreLater());
      unattended(restored, { logger, task: 'the objects of flow control' });
    });
  }

  /** All at once, so that they are one write to the disk. */
  async #restore(): Promise<void> {
    const work = this.#builtIn.flatMap(({ collection, cache, objects, mandatory }) => {
      const names = new Set(objects.map(({ metadata }) => metadata.name));
      const left = [...cache.values()].filter(
        ({ metadata }) => !names.has(metadata.name) && isOurs(metadata),
      );
      return [
        ...objects.map((object) => this.#keep(collection, cache, object, mandatory.includes(object))),
        ...left.map(({ metadata }) => this.#remove(collection, metadata)),
      ];
    });
    await Promise.all(work.map((done) => done.catch((error: unknown) => this.#fail(error))));
  }

  async #keep(
    collection: Collection,
    cache: BuiltIn['cache'],
    wanted: BuiltIn['objects'][number],
    isMandatory: boolean,
  ): Promise<void> {
    const { name = '' } = wanted.metadata;
    const known = cache.get(name) as BuiltIn['objects'][number] | undefined;
    // A copy: whoever creates an object writes into it.
    if (!known) return ensure(collection, structuredClone(wanted) as unknown as ApiObject);
    const isKept = (object: { metadata: FlowSchema['metadata']; spec: object }) =>
      isUpdated(object.metadata, isMandatory) === annotated(object.metadata) &&
      (!isUpdated(object.metadata, isMandatory) || isSameSpec(object.spec, wanted.spec));
    if (isKept(known)) return;
    await collection.storage.change({
      namespace: '',
      name,
      change: (current) => ({ next: revised(current, wanted.spec, isMandatory) }),
    });
  }

  async #remove(collection: Collection, { name = '', uid }: FlowSchema['metadata']): Promise<void> {
    const { strategy } = collection.resource;
    const nowMs = this.#options.clock.nowMs();
    await collection.storage.change({
      ...{ namespace: '', name, preconditions: { uid } },
      change: (current) => deletionOf(current, {}, { strategy, nowMs }),
    });
  }

  #settleSoon(): void {
    this.#isDue = true;
    if (this.#running || this.#isClosed) return;
    this.#running = this.#settle().finally(() => {
      this.#running = undefined;
      if (this.#isDue) this.#settleSoon();
    });
    unattended(this.#running, { logger: this.#options.logger, task: 'the conditions of FlowSchemas' });
  }

  async #settle(): Promise<void> {
    const { caches, schemas } = this.#options;
    this.#isDue = false;
    const work = [...caches.flowSchemas.values()]
      .filter((schema) => danglingOf(schema) !== this.#isDangling(schema))
      .map(({ metadata }) =>
        schemas.storage
          .change({
            ...{ namespace: '', name: metadata.name ?? '', preconditions: { uid: metadata.uid } },
            change: (current) => ({ next: this.#withCondition(current) }),
          })
          .catch((error: unknown) => this.#fail(error)),
      );
    await Promise.all(work);
  }

  #isDangling({ spec }: FlowSchema): boolean {
    return !this.#options.caches.priorityLevels.get(spec.priorityLevelConfiguration.name);
  }

  #withCondition(current: ApiObject): ApiObject {
    const schema = as<FlowSchema>(current);
    const isDangling = this.#isDangling(schema);
    if (danglingOf(schema) === isDangling) return current;
    const level = JSON.stringify(schema.spec.priorityLevelConfiguration.name);
    const condition = {
      ...{ type: 'Dangling', status: isDangling ? 'True' : 'False' },
      lastTransitionTime: timeFromMs(this.#options.clock.nowMs()),
      reason: isDangling ? 'NotFound' : 'Found',
      message: isDangling
        ? `there is no PriorityLevelConfiguration ${level}`
        : `PriorityLevelConfiguration ${level} is there`,
    };
    const others = (schema.status?.conditions ?? []).filter(({ type }) => type !== 'Dangling');
    return { ...current, status: { conditions: [...others, condition] } as unknown as JsonObject };
  }

  #fail(error: unknown): void {
    if (!this.#isClosed) this.#options.logger.warn('an object of flow control can not be kept', { error });
  }
}

/** Undefined while nobody has said so. */
function danglingOf({ status }: FlowSchema): boolean | undefined {
  const known = status?.conditions?.find(({ type }) => type === 'Dangling')?.status;
  return known === undefined ? undefined : known === 'True';
}

/** What the annotation says, in Go's spellings of a boolean; undefined where it says none. */
function annotated({ annotations }: FlowSchema['metadata']): boolean | undefined {
  const value = annotations?.[autoUpdateAnnotation] ?? '';
  if (/^(1|t|T|TRUE|true|True)$/.test(value)) return true;
  return /^(0|f|F|FALSE|false|False)$/.test(value) ? false : undefined;
}

const isOurs = (metadata: FlowSchema['metadata']) => annotated(metadata) === true;

/** Whether the server may write the spec; without a word, as long as nobody else has. */
function isUpdated(metadata: FlowSchema['metadata'], isMandatory: boolean): boolean {
  return isMandatory || (annotated(metadata) ?? metadata.generation === 1);
}

/** What the exempt level has of its own is its administrator's to say. */
function isSameSpec(stored: object, wanted: object): boolean {
  const exempt = 'exempt' in stored && 'exempt' in wanted ? stored.exempt : undefined;
  return isDeepStrictEqual(stored, exempt === undefined ? wanted : { ...wanted, exempt });
}

function revised(current: ApiObject, spec: object, isMandatory: boolean): ApiObject {
  const { metadata } = current;
  const isKeptUp = isUpdated(metadata, isMandatory);
  const isSame = !isKeptUp || isSameSpec(current['spec'] as object, spec);
  return {
    ...current,
    metadata: {
      ...metadata,
      annotations: { ...metadata.annotations, [autoUpdateAnnotation]: String(isKeptUp) },
      ...(isSame ? {} : { generation: (metadata.generation ?? 1) + 1 }),
    },
    ...(isSame ? {} : { spec: spec as JsonObject }),
  };
}

import { Informer, type KubeObject, type ResourceType } from '@wherry/client';
import type { Controller, ControllerContext } from '../controller.ts';
import type { SharedInformer } from '../shared-informers.ts';

/** What the monitors report. */
export interface MonitorHandlers {
  seen(type: ResourceType, object: KubeObject): void;
  gone(type: ResourceType, object: KubeObject): void;
  /** The resource is not served any more: nothing is known of its objects from now on. */
  unserved(type: ResourceType): void;
  /** A first list is complete. */
  synced(): void;
}

interface Monitor {
  type: ResourceType;
  informer: { readonly hasSynced: boolean; close(): Promise<void> };
}

/** Follows the objects of many resources: by the informers that the controllers share, the others' metadata alone. */
export class ObjectMonitors implements Controller {
  readonly #context: ControllerContext;
  readonly #handlers: MonitorHandlers;
  readonly #shared = new Map<string, SharedInformer<KubeObject>>();
  readonly #own = new Map<string, Monitor>();
  #wanted: ReadonlyMap<string, ResourceType> = new Map();
  #closing: Promise<void>[] = [];

  /** Before the shared informers start, so that it misses nothing. */
  constructor(context: ControllerContext, handlers: MonitorHandlers) {
    this.#context = context;
    this.#handlers = handlers;
    for (const informer of Object.values(context.informers) as SharedInformer<KubeObject>[]) {
      // One of a single namespace does not tell about the others.
      if (informer.namespace !== undefined) continue;
      this.#shared.set(keyOf(informer.type), informer);
      informer.on(this.#listenerOf(informer.type));
    }
  }

  /** Follows exactly these; one that is in place stays. */
  follow(resources: readonly ResourceType[]): void {
    const wanted = new Map(resources.map((type) => [keyOf(type), type]));
    this.#wanted = wanted;
    for (const [key, monitor] of this.#own) {
      if (wanted.get(key)?.version === monitor.type.version) continue;
      this.#own.delete(key);
      this.#closing.push(monitor.informer.close());
      this.#handlers.unserved(monitor.type);
    }
    for (const [key, type] of wanted) {
      if (this.#shared.has(key) || this.#own.has(key)) continue;
      const { client, clock, logger } = this.#context;
      const failed = (error: Error) =>
        logger.debug('a watch failed and will be tried again', { resource: type.plural, error });
      const handlers = { ...this.#listenerOf(type), failed };
      const informer = new Informer({ resource: client.metadata(type), clock, handlers });
      this.#own.set(key, { type, informer: informer.start() });
    }
  }

  /** Whether changes of that resource are reported. */
  follows(type: ResourceType): boolean {
    return this.#shared.has(keyOf(type)) || this.#own.has(keyOf(type));
  }

  /** The followed resources whose first list is not complete. */
  unsynced(): string[] {
    const isSynced = (key: string) => (this.#shared.get(key) ?? this.#own.get(key)?.informer)?.hasSynced;
    return [...this.#wanted.keys()].filter((key) => !isSynced(key));
  }

  async close(): Promise<void> {
    const closing = [...this.#own.values()].map(({ informer }) => informer.close());
    this.#own.clear();
    await Promise.all([...this.#closing, ...closing]);
    this.#closing = [];
  }

  #listenerOf(type: ResourceType) {
    const isFollowed = () => this.follows(type);
    return {
      added: (object: KubeObject) => isFollowed() && this.#handlers.seen(type, object),
      updated: (object: KubeObject) => isFollowed() && this.#handlers.seen(type, object),
      deleted: (object: KubeObject) => isFollowed() && this.#handlers.gone(type, object),
      synced: () => this.#handlers.synced(),
    };
  }
}

function keyOf({ group, plural }: ResourceType): string {
  return `${group}/${plural}`;
}

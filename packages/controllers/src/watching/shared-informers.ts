import {
  Informer,
  type InformerHandlers,
  type KubeClient,
  type KubeObject,
  type ResourceType,
} from '@wherry/client';
import type { Clock } from '@wherry/clock';
import type { Logger } from '@wherry/telemetry';
import { ControllerIndex } from './controller-index.ts';

/** Objects that somebody follows: all of a resource, or those of one namespace, or that a field selects. */
export interface Watch<T extends KubeObject = KubeObject> {
  type: ResourceType<T>;
  namespace?: string;
  fieldSelector?: string;
}

type Selection = Omit<Watch, 'type'>;

/** One controller's hold on an informer that it may share with others. */
export interface InformerHandle<T extends KubeObject> {
  /** The objects by `namespace/name`. Do not change them: they are shared. */
  readonly objects: ReadonlyMap<string, T>;
  /** Whether the first list is complete. */
  readonly hasSynced: boolean;
  /** The version up to which the objects are known. */
  readonly resourceVersion: string | undefined;
  /** The objects whose controller, by their owner references, has that uid. */
  controlledBy(uid: string | undefined): readonly T[];
  /** The objects of a namespace that have no controller. */
  uncontrolledIn(namespace: string): readonly T[];
  /** Tells `listener` of all that is there already, as added, and of what changes from now on. */
  on(listener: InformerHandlers<T>): void;
  /** Lets go; the listeners are told nothing more. The informer ends with its last holder. */
  close(): Promise<void>;
}

interface Shared {
  informer: Informer<KubeObject>;
  listeners: Set<InformerHandlers<KubeObject>>;
  holders: number;
  /** Made when somebody first asks for it. */
  index?: ControllerIndex;
}

/** Informers on demand: one list and one watch per resource, from the first who asks for it to the last who lets go. */
export class SharedInformers {
  readonly #options: { client: KubeClient; clock: Clock; logger: Logger };
  readonly #shared = new Map<string, Shared>();

  constructor(options: { client: KubeClient; clock: Clock; logger: Logger }) {
    this.#options = options;
  }

  /** Follows whole objects. */
  acquire<T extends KubeObject>({ type, ...selection }: Watch<T>): InformerHandle<T> {
    const start = () => this.#start(this.#options.client.resource<KubeObject>(type), selection);
    return this.#hold(keyOf(type, selection), start) as InformerHandle<KubeObject> as InformerHandle<T>;
  }

  /** Follows the metadata of a resource's objects: with whoever follows them whole, else these alone. */
  acquireMetadata(type: ResourceType): InformerHandle<KubeObject> {
    const whole = keyOf(type);
    if (this.#shared.has(whole)) return this.acquire({ type });
    return this.#hold(`${whole} metadata`, () => this.#start(this.#options.client.metadata(type)));
  }

  /** Ends what is left. */
  async close(): Promise<void> {
    const ending = [...this.#shared.values()].map(({ informer }) => informer.close());
    this.#shared.clear();
    await Promise.all(ending);
  }

  #start(resource: ReturnType<KubeClient['resource']>, selection: Selection = {}): Shared {
    const { clock, logger } = this.#options;
    const listeners: Shared['listeners'] = new Set();
    const { plural } = resource.type;
    // One that fails keeps no other from hearing of the change, who would never hear of it again.
    const tell = (call: (listener: InformerHandlers<KubeObject>) => void) => {
      for (const listener of [...listeners]) {
        try {
          if (listeners.has(listener)) call(listener);
        } catch (error) {
          logger.error('a listener failed at a change', { resource: plural, error });
        }
      }
    };
    const informer = new Informer<KubeObject>({
      ...{ resource, clock, ...selection },
      handlers: {
        added: (object) => tell((listener) => listener.added?.(object)),
        updated: (object, previous) => tell((listener) => listener.updated?.(object, previous)),
        deleted: (object) => tell((listener) => listener.deleted?.(object)),
        synced: () => tell((listener) => listener.synced?.()),
        failed: (error) => {
          logger.debug('a watch failed and will be tried again', { resource: plural, error });
          tell((listener) => listener.failed?.(error));
        },
      },
    });
    return { informer: informer.start(), listeners, holders: 0 };
  }

  #hold(key: string, start: () => Shared): InformerHandle<KubeObject> {
    const shared = this.#shared.get(key) ?? start();
    this.#shared.set(key, shared);
    shared.holders += 1;
    const { informer, listeners } = shared;
    const own = new Set<InformerHandlers<KubeObject>>();
    let isHeld = true;
    return {
      objects: informer.objects,
      get hasSynced() {
        return informer.hasSynced;
      },
      get resourceVersion() {
        return informer.resourceVersion;
      },
      controlledBy: (uid) => indexOf(shared).controlledBy(uid),
      uncontrolledIn: (namespace) => indexOf(shared).uncontrolledIn(namespace),
      on(listener) {
        own.add(listener);
        listeners.add(listener);
        for (const object of informer.objects.values()) listener.added?.(object);
        if (informer.hasSynced) listener.synced?.();
      },
      close: async () => {
        for (const listener of own) listeners.delete(listener);
        if (!isHeld) return;
        isHeld = false;
        shared.holders -= 1;
        if (shared.holders > 0) return;
        if (this.#shared.get(key) === shared) this.#shared.delete(key);
        await informer.close();
      },
    };
  }
}

function indexOf(shared: Shared): ControllerIndex {
  if (!shared.index) {
    shared.index = new ControllerIndex(shared.informer.objects.values());
    shared.listeners.add(shared.index);
  }
  return shared.index;
}

function keyOf({ group, version, plural }: ResourceType, selection: Selection = {}): string {
  const { namespace = '', fieldSelector = '' } = selection;
  return `${group}/${version}/${plural} ${namespace} ${fieldSelector}`;
}

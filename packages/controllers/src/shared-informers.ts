import {
  Informer,
  type InformerHandlers,
  type KubeClient,
  type KubeObject,
  kinds,
  type ResourceType,
} from '@wherry/client';
import type { Clock } from '@wherry/clock';
import type { Logger } from '@wherry/telemetry';

/** One informer that several controllers listen to. */
export class SharedInformer<T extends KubeObject> {
  readonly type: ResourceType<T>;
  /** The only namespace that it follows; undefined = all. */
  readonly namespace: string | undefined;
  readonly #informer: Informer<T>;
  readonly #listeners: InformerHandlers<T>[] = [];

  constructor(options: {
    client: KubeClient;
    clock: Clock;
    logger: Logger;
    type: ResourceType<T>;
    namespace?: string;
  }) {
    const { client, clock, logger, type, namespace } = options;
    this.type = type;
    this.namespace = namespace;
    this.#informer = new Informer<T>({
      resource: client.resource(type),
      clock,
      namespace,
      handlers: {
        added: (object) => this.#tell((listener) => listener.added?.(object)),
        updated: (object, previous) => this.#tell((listener) => listener.updated?.(object, previous)),
        deleted: (object) => this.#tell((listener) => listener.deleted?.(object)),
        synced: () => this.#tell((listener) => listener.synced?.()),
        failed: (error) =>
          logger.debug('a watch failed and will be tried again', { resource: type.plural, error }),
      },
    });
  }

  get objects(): ReadonlyMap<string, T> {
    return this.#informer.objects;
  }

  /** Whether the first list is complete. */
  get hasSynced(): boolean {
    return this.#informer.hasSynced;
  }

  /** Registers a listener; only before {@link start}, so that it misses nothing. */
  on(listener: InformerHandlers<T>): void {
    this.#listeners.push(listener);
  }

  start(): void {
    this.#informer.start();
  }

  close(): Promise<void> {
    return this.#informer.close();
  }

  #tell(call: (listener: InformerHandlers<T>) => void): void {
    for (const listener of this.#listeners) call(listener);
  }
}

/** The informers that the controllers share: one list and one watch per kind, whoever listens. */
export type SharedInformers = ReturnType<typeof createInformers>;

/** Makes the shared informers; start them when all controllers listen. */
export function createInformers(options: { client: KubeClient; clock: Clock; logger: Logger }) {
  const of = <T extends KubeObject>(type: ResourceType<T>, namespace?: string) =>
    new SharedInformer<T>({ ...options, type, ...(namespace ? { namespace } : {}) });
  return {
    pods: of(kinds.pods),
    nodes: of(kinds.nodes),
    namespaces: of(kinds.namespaces),
    serviceAccounts: of(kinds.serviceAccounts),
    configMaps: of(kinds.configMaps),
    secrets: of(kinds.secrets),
    services: of(kinds.services),
    nodeLeases: of(kinds.leases, 'kube-node-lease'),
  };
}

import type { KubeObject, ResourceType } from '@wherry/client';
import type { InformerHandle, SharedInformers } from '../watching/shared-informers.ts';

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
  informer: InformerHandle<KubeObject>;
  /** Whether its last list or watch failed. */
  isFailing: boolean;
}

/** Follows the metadata of the objects of many resources. */
export class ObjectMonitors {
  readonly #informers: SharedInformers;
  readonly #handlers: MonitorHandlers;
  readonly #monitors = new Map<string, Monitor>();
  readonly #closing = new Set<Promise<void>>();

  constructor(informers: SharedInformers, handlers: MonitorHandlers) {
    this.#informers = informers;
    this.#handlers = handlers;
  }

  /** Follows exactly these; one that is in place stays. */
  follow(resources: readonly ResourceType[]): void {
    const wanted = new Map(resources.map((type) => [keyOf(type), type]));
    for (const [key, { type, informer }] of this.#monitors) {
      if (wanted.get(key)?.version === type.version) continue;
      this.#monitors.delete(key);
      const closing = informer.close().finally(() => this.#closing.delete(closing));
      this.#closing.add(closing);
      this.#handlers.unserved(type);
    }
    for (const [key, type] of wanted) {
      if (this.#monitors.has(key)) continue;
      const informer = this.#informers.acquireMetadata(type);
      const monitor: Monitor = { type, informer, isFailing: false };
      this.#monitors.set(key, monitor);
      const seen = (object: KubeObject) => this.#handlers.seen(type, object);
      const gone = (object: KubeObject) => this.#handlers.gone(type, object);
      const failed = () => {
        monitor.isFailing = true;
      };
      const synced = () => {
        monitor.isFailing = false;
        this.#handlers.synced();
      };
      informer.on({ added: seen, updated: seen, deleted: gone, synced, failed });
    }
  }

  /** The followed resources whose first list is not complete. */
  unsynced(): string[] {
    return [...this.#monitors].filter(([, { informer }]) => !informer.hasSynced).map(([key]) => key);
  }

  /** Those of them that the server has not refused to list: they will be complete soon. */
  expected(): string[] {
    return this.unsynced().filter((key) => !this.#monitors.get(key)?.isFailing);
  }

  async close(): Promise<void> {
    const closing = [...this.#monitors.values()].map(({ informer }) => informer.close());
    this.#monitors.clear();
    await Promise.all([...this.#closing, ...closing]);
  }
}

function keyOf({ group, plural }: ResourceType): string {
  return `${group}/${plural}`;
}

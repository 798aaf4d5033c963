import { type ApiClient, type Informer, type KubeObject, keyOf, type ResourceType } from '@wherry/client';
import { isForbidden, troubleOf } from '../models/outcome.ts';

/** Which objects are followed. */
export interface LiveListOptions<T extends KubeObject> {
  client: ApiClient;
  type: ResourceType<T>;
  /** Empty for all. */
  namespace: string;
  fieldSelector?: string | undefined;
  labelSelector?: string | undefined;
  /** Something is different now. */
  changed: () => void;
}

/**
 * Objects as they are now, by a watch. It rests while nobody looks, since a browser has six connections for all tabs of a
 * console, and takes up again where the cluster is then.
 */
export class LiveList<T extends KubeObject> {
  readonly #options: LiveListOptions<T>;
  #informer: Informer<T> | undefined;
  #objects: ReadonlyMap<string, T> = new Map();
  #isComplete = false;
  #trouble: string | undefined;
  #refusal: string | undefined;

  constructor(options: LiveListOptions<T>) {
    this.#options = options;
  }

  get objects(): Iterable<T> {
    return this.#objects.values();
  }

  /** Whether all of them have been seen once. */
  get isComplete(): boolean {
    return this.#isComplete;
  }

  /** Why what is shown may be old: in the words of who refused, or of the connection. */
  get trouble(): string | undefined {
    return this.#trouble;
  }

  /** Why this user may not list or watch them; undefined where he may, as far as is known. */
  get refusal(): string | undefined {
    return this.#refusal;
  }

  get(name: string, namespace: string): T | undefined {
    return this.#objects.get(keyOf({ metadata: { name, namespace } }));
  }

  follow(): void {
    if (this.#informer) return;
    const { client, type, namespace, fieldSelector, labelSelector, changed } = this.#options;
    const informer = client.informer<T>(type, {
      ...(namespace ? { namespace } : { allNamespaces: true }),
      ...{ fieldSelector, labelSelector },
    });
    const show = () => {
      if (!informer.hasSynced || this.#informer !== informer) return;
      this.#objects = informer.objects;
      this.#isComplete = true;
      changed();
    };
    this.#informer = informer;
    informer.on({
      added: show,
      updated: show,
      deleted: show,
      synced: show,
      failed: (error) => {
        if (this.#informer !== informer) return;
        this.#trouble = troubleOf(error);
        if (isForbidden(error)) this.#refusal = this.#trouble;
        changed();
      },
      watching: () => {
        if (this.#informer !== informer || this.#trouble === undefined) return;
        this.#trouble = undefined;
        this.#refusal = undefined;
        changed();
      },
    });
    informer.start();
  }

  rest(): void {
    this.#informer?.close();
    this.#informer = undefined;
  }
}

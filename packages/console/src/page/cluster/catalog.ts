import { type ApiClient, type DiscoveredResource, discoverResources } from '@wherry/client';
import { troubleOf } from '../models/outcome.ts';

/** What the server serves, read when it is first asked for, and again when somebody wants to see what there is. */
export class Catalog {
  readonly #client: ApiClient;
  readonly #changed: () => void;
  #resources: readonly DiscoveredResource[] | undefined;
  #trouble: string | undefined;
  #reading: Promise<void> | undefined;

  constructor(client: ApiClient, changed: () => void) {
    this.#client = client;
    this.#changed = changed;
  }

  /** Undefined until it has been told once. */
  get resources(): readonly DiscoveredResource[] | undefined {
    return this.#resources;
  }

  /** Why nothing, or not all, is known. */
  get trouble(): string | undefined {
    return this.#trouble;
  }

  /** Asks, unless it was told or told why not before. */
  readOnce(): void {
    if (!this.#resources && this.#trouble === undefined) void this.read();
  }

  /** Asks anew, unless it is asking already. Never throws: see {@link trouble}. */
  read(): Promise<void> {
    this.#reading ??= this.#readNow().finally(() => (this.#reading = undefined));
    return this.#reading;
  }

  async #readNow(): Promise<void> {
    try {
      const { resources, failed } = await discoverResources(this.#client);
      this.#resources = resources;
      this.#trouble = failed.length === 0 ? undefined : `Nobody answers for ${failed.join(', ')}.`;
    } catch (error) {
      this.#trouble = troubleOf(error);
    }
    this.#changed();
  }
}

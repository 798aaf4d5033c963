import { type ApiClient, Informer, type KubeObject, type ResourceType, resourcePath } from '@wherry/client';
import { sleep } from '@wherry/clock';
import { limits } from '../limits.ts';
import { troubleOf } from '../models/outcome.ts';
import type { ServerTable } from '../models/server-table.ts';

/** Which objects are followed. */
export interface LiveTableOptions {
  client: ApiClient;
  type: ResourceType;
  /** Empty for all. */
  namespace: string;
  /** One of them alone. */
  name?: string | undefined;
  /** Something is different now. */
  changed: () => void;
}

const accept = 'application/json;as=Table;g=meta.k8s.io;v=v1';

/**
 * The server's own table of some objects, as it is now: a watch of their metadata tells that something has changed, and the
 * table is asked for anew, once in `limits.tablePauseMs` at most. It rests while nobody looks.
 */
export class LiveTable {
  readonly #options: LiveTableOptions;
  #abort: AbortController | undefined;
  #isStale = false;
  #isReading = false;
  #table: ServerTable | undefined;
  #trouble: string | undefined;

  constructor(options: LiveTableOptions) {
    this.#options = options;
  }

  /** Undefined until it has been read once. */
  get table(): ServerTable | undefined {
    return this.#table;
  }

  /** Why what is shown may be old. */
  get trouble(): string | undefined {
    return this.#trouble;
  }

  follow(): void {
    if (this.#abort) return;
    const { client, type, namespace, changed } = this.#options;
    this.#abort = new AbortController();
    const { signal } = this.#abort;
    const look = () => {
      this.#isStale = true;
      if (!this.#isReading) this.#readOn(signal).catch(() => {});
    };
    const informer = new Informer<KubeObject>({
      resource: client.metadata(type),
      ...{ namespace: namespace || undefined, fieldSelector: this.#fieldSelector },
      ...{ clock: client.clock, signal, streamsList: true },
    });
    informer.on({
      ...{ added: look, updated: look, deleted: look, synced: look },
      failed: (error) => {
        this.#trouble = troubleOf(error);
        changed();
      },
      watching: () => {
        if (this.#trouble !== undefined) look();
      },
    });
    informer.start();
  }

  rest(): void {
    this.#abort?.abort(new Error('nobody looks'));
    this.#abort = undefined;
  }

  get #fieldSelector(): string | undefined {
    const { name } = this.#options;
    return name === undefined ? undefined : `metadata.name=${name}`;
  }

  /** Until nothing has changed since it asked. */
  async #readOn(signal: AbortSignal): Promise<void> {
    const { client, type, namespace, changed } = this.#options;
    const query = { limit: limits.tableChunkRows, fieldSelector: this.#fieldSelector };
    const pathOf = (from: string | undefined) =>
      resourcePath(type, { namespace: namespace || undefined, query: { ...query, continue: from } });
    this.#isReading = true;
    try {
      while (this.#isStale) {
        this.#isStale = false;
        const delayMs = await this.#read(pathOf, signal);
        changed();
        await sleep({ clock: client.clock, delayMs, signal });
      }
    } finally {
      this.#isReading = false;
    }
  }

  /** Resolves with the pause after it; what failed is read again. */
  async #read(pathOf: (from: string | undefined) => string, signal: AbortSignal): Promise<number> {
    try {
      const ask = (from?: string) => {
        const asked = { method: 'GET', path: pathOf(from), headers: { accept }, signal } as const;
        return this.#options.client.request<ServerTable>(asked);
      };
      const table = await ask();
      const rows = table.rows ?? [];
      let { metadata } = table;
      while (metadata?.continue && rows.length < limits.tableRowsReadMax) {
        const next = await ask(metadata.continue);
        rows.push(...(next.rows ?? []));
        metadata = next.metadata;
      }
      this.#table = { ...table, rows, metadata: metadata ?? {} };
      this.#trouble = undefined;
      return limits.tablePauseMs;
    } catch (error) {
      signal.throwIfAborted();
      this.#trouble = troubleOf(error);
      this.#isStale = true;
      return limits.retryMs;
    }
  }
}

import type { Clock, Timer } from '@wherry/clock';
import { type APIService, type ResourceFacts, timeFromMs } from '@wherry/kubeapi';
import { type Counter, type Gauge, type Logger, type MetricsRegistry, unattended } from '@wherry/telemetry';
import { periods } from '../limits.ts';
import type { ObjectCache } from '../objects/object-cache.ts';
import type { Collection } from '../registry/collection.ts';
import type { StoreEvent, StoreWatch } from '../store/store.ts';
import { type Checked, checkExtension } from './extension-check.ts';
import type { ExtensionClient } from './extension-client.ts';
import { type Extension, isExtension } from './extensions.ts';
import { keptVerdict, localVerdict, says, type Verdict, withVerdict } from './verdicts.ts';

/** What availability is kept with. */
export interface AvailabilityOptions {
  /** APIServices. */
  collection: Collection;
  services: ObjectCache<APIService>;
  client: ExtensionClient;
  /** Keys that begin so change where an extension server is. */
  endpointPrefixes: readonly string[];
  metrics: MetricsRegistry;
  clock: Clock;
  logger: Logger;
}

/**
 * Asks extension servers what they serve, again when they or their endpoints change and every half minute: that is what
 * conditions, discovery and OpenAPI tell of them.
 */
export class Availability {
  readonly #options: AvailabilityOptions;
  /** By the name of the APIService: what it told last. */
  readonly #known = new Map<string, Checked>();
  readonly #abort = new AbortController();
  #watches: StoreWatch[] = [];
  #timer: Timer | undefined;
  #running: Promise<void> | undefined;
  #isDue = false;
  #generation = 0;
  readonly #unavailable: Gauge;
  /** Names that the gauge shows. */
  readonly #counted = new Set<string>();
  readonly #failures: Counter;

  constructor(options: AvailabilityOptions) {
    this.#options = options;
    this.#unavailable = options.metrics.gauge(
      'aggregator_unavailable_apiservice',
      'By the name of each APIService: 1 while nobody answers for it.',
    );
    this.#failures = options.metrics.counter(
      'aggregator_unavailable_apiservice_total',
      'How often an APIService became unavailable, by its name and why.',
    );
  }

  /** Counts the changes of what is told. */
  get generation(): number {
    return this.#generation;
  }

  /** What extension servers serve, as far as they have told. */
  facts(): ResourceFacts[] {
    return [...this.#extensions()].flatMap(
      ({ metadata }) => this.#known.get(metadata.name ?? '')?.facts ?? [],
    );
  }

  /** Versions of groups whose server does not answer now, or has not yet. */
  stale(): { group: string; version: string }[] {
    return [...this.#extensions()]
      .filter(({ metadata }) => !this.#known.get(metadata.name ?? '')?.verdict.isAvailable)
      .map(({ spec }) => ({ group: spec.group, version: spec.version }));
  }

  /** Versions of groups that extension servers answer for, though they may list no resource of their own (metrics: `pods/hits` alone). */
  versions(): { group: string; version: string }[] {
    return [...this.#extensions()].map(({ spec }) => ({ group: spec.group, version: spec.version }));
  }

  /** Where their OpenAPI documents are, by the name of the document. */
  openApiUrls(): Map<string, string> {
    const found = [...this.#extensions()].flatMap(({ metadata, spec }): [string, string][] => {
      const url = this.#known.get(metadata.name ?? '')?.openApiUrl;
      return url === undefined ? [] : [[`apis/${spec.group}/${spec.version}`, url]];
    });
    return new Map(found);
  }

  /** Once the caches have started. */
  async start(): Promise<void> {
    const { collection, endpointPrefixes } = this.#options;
    const { store } = collection.storage;
    const follow = async (prefix: string, onEvents: (events: readonly StoreEvent[]) => void) =>
      this.#watches.push(await store.watch({ prefix, onEvents }));
    await follow(collection.resource.keyPrefix, () => this.#checkSoon());
    for (const prefix of endpointPrefixes)
      await follow(prefix, (events) => this.#concerns(prefix, events) && this.#checkSoon());
    this.#checkSoon();
  }

  async close(): Promise<void> {
    this.#abort.abort(new Error('the API server is closing'));
    this.#timer?.cancel();
    for (const watch of this.#watches) watch.close();
    await this.#running;
  }

  *#extensions(): Iterable<Extension> {
    for (const service of this.#options.services.values()) if (isExtension(service)) yield service;
  }

  /** True when an extension server is in the namespace of one of these objects. */
  #concerns(prefix: string, events: readonly StoreEvent[]): boolean {
    const namespaces = new Set([...this.#extensions()].map(({ spec }) => spec.service.namespace));
    if (namespaces.size === 0) return false;
    return events.some(({ key }) => namespaces.has(key.slice(prefix.length).split('/', 1)[0]));
  }

  #checkSoon(): void {
    this.#isDue = true;
    if (this.#running || this.#abort.signal.aborted) return;
    this.#timer?.cancel();
    this.#running = this.#check().finally(() => {
      this.#running = undefined;
      if (this.#isDue) this.#checkSoon();
      else this.#checkLater();
    });
    unattended(this.#running, { logger: this.#options.logger, task: 'the availability of APIServices' });
  }

  #checkLater(): void {
    if (this.#abort.signal.aborted || [...this.#extensions()].length === 0) return;
    const delayMs = this.stale().length > 0 ? periods.staleExtensionMs : periods.extensionRecheckMs;
    this.#timer = this.#options.clock.after(delayMs, () => this.#checkSoon());
  }

  async #check(): Promise<void> {
    const { services } = this.#options;
    this.#isDue = false;
    const names = new Set([...this.#extensions()].map(({ metadata }) => metadata.name));
    for (const name of this.#known.keys()) if (!names.has(name)) this.#forget(name);
    const present = new Set([...services.values()].map(({ metadata }) => metadata.name ?? ''));
    for (const name of this.#counted.difference(present)) this.#uncount(name);
    await Promise.all([...services.values()].map((service) => this.#settle(service)));
  }

  async #settle(service: APIService): Promise<void> {
    const { clock, client, logger } = this.#options;
    const { signal } = this.#abort;
    try {
      if (isExtension(service)) {
        const checked = await checkExtension(client, service, { clock, signal });
        if (signal.aborted) return;
        this.#learn(service.metadata.name ?? '', checked);
        await this.#tell(service, checked.verdict);
      } else await this.#tell(service, service.spec.service ? keptVerdict : localVerdict);
    } catch (error) {
      if (!signal.aborted) logger.warn('the condition of an APIService can not be written', { error });
    }
  }

  #learn(name: string, checked: Checked): void {
    const before = this.#known.get(name);
    const { facts = before?.facts, openApiUrl = before?.openApiUrl } = checked;
    const next: Checked = { verdict: checked.verdict, ...(facts ? { facts } : {}), openApiUrl };
    if (JSON.stringify(before) === JSON.stringify(next)) return;
    this.#known.set(name, next);
    this.#generation += 1;
  }

  #uncount(name: string): void {
    this.#counted.delete(name);
    this.#unavailable.forget({ name });
  }

  #forget(name: string): void {
    this.#known.delete(name);
    this.#generation += 1;
  }

  #count(name: string, { isAvailable, reason }: Verdict): void {
    const isNews = !isAvailable && this.#unavailable.value({ name }) === 0;
    this.#unavailable.set(isAvailable ? 0 : 1, { name });
    this.#counted.add(name);
    if (isNews) this.#failures.add(1, { name, reason });
  }

  async #tell(service: APIService, verdict: Verdict): Promise<void> {
    this.#count(service.metadata.name ?? '', verdict);
    if (says(service, verdict)) return;
    const { collection, clock } = this.#options;
    await collection.storage.change({
      ...{ namespace: '', name: service.metadata.name ?? '', preconditions: { uid: service.metadata.uid } },
      change: (current) => ({ next: withVerdict(current, verdict, timeFromMs(clock.nowMs())) }),
    });
  }
}

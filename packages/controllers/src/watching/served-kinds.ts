import { type DiscoveredResource, discoverResources, type KubeClient } from '@wherry/client';
import { backoff, type Clock, type Timer } from '@wherry/clock';
import { formatApiVersion, parseApiVersion } from '@wherry/kubeapi/objects';
import type { Logger } from '@wherry/telemetry';
import { limits } from '../limits.ts';

interface ServedKindsOptions {
  client: KubeClient;
  clock: Clock;
  logger: Logger;
}

/**
 * Which kinds the server serves, asked again every `limits.discoveryPeriodMs`, and sooner on {@link expectChange}. A kind that is missing here is unknown,
 * never empty: its group may be switched off while its objects are still stored.
 */
export class ServedKinds {
  readonly #context: ServedKindsOptions;
  readonly #listeners: (() => void)[] = [];
  readonly #abort = new AbortController();
  readonly #retry = backoff(limits.retryMs);
  #resources: readonly DiscoveredResource[] = [];
  #failed: readonly string[] = [];
  #running: Promise<void> = Promise.resolve();
  #timer: Timer | undefined;
  #isExpected = false;

  constructor(context: ServedKindsOptions) {
    this.#context = context;
  }

  /** Group versions that the server could not tell about; what was known of them before is kept. */
  get failed(): readonly string[] {
    return this.#failed;
  }

  /** The resource that serves a kind in exactly that version, or undefined while nothing is known of it. */
  find(apiVersion: string, kind: string): DiscoveredResource | undefined {
    return this.#resources.find(
      (resource) =>
        resource.kind === kind && formatApiVersion(resource.group, resource.version) === apiVersion,
    );
  }

  /** As {@link find}, or else the resource that serves the kind in another version of its group, the preferred one first. */
  findOfGroup(apiVersion: string, kind: string): DiscoveredResource | undefined {
    const group = parseApiVersion(apiVersion)?.group ?? '';
    return (
      this.find(apiVersion, kind) ??
      this.#resources.find((resource) => resource.group === group && resource.kind === kind)
    );
  }

  /** The resource of that name in exactly that version, or undefined while nothing is known of it. */
  findResource(apiVersion: string, plural: string): DiscoveredResource | undefined {
    return this.#resources.find(
      (resource) =>
        resource.plural === plural && formatApiVersion(resource.group, resource.version) === apiVersion,
    );
  }

  /** One entry for each resource that knows all of `verbs`: in the version that the server prefers of those. */
  withVerbs(...verbs: string[]): DiscoveredResource[] {
    const preferred = new Map<string, DiscoveredResource>();
    for (const resource of this.#resources) {
      const key = `${resource.group}/${resource.plural}`;
      const isFit = verbs.every((verb) => resource.verbs.includes(verb));
      if (isFit && !preferred.has(key)) preferred.set(key, resource);
    }
    return [...preferred.values()];
  }

  /** Calls `listener` whenever something came or went. */
  onChange(listener: () => void): void {
    this.#listeners.push(listener);
  }

  /** Begins to ask, at once and then every period. */
  start(): this {
    this.#isExpected = false;
    this.#running = this.refresh(this.#abort.signal).then(
      () => {
        this.#retry.reset();
        this.#schedule(limits.discoveryPeriodMs);
      },
      (error: unknown) => {
        if (this.#abort.signal.aborted) return;
        this.#context.logger.debug('the server does not tell what it serves', { error });
        this.#schedule(this.#retry.nextDelayMs());
      },
    );
    return this;
  }

  /** Asks again soon: what says which kinds there are has changed. */
  expectChange(): void {
    if (this.#isExpected) return;
    this.#isExpected = true;
    void this.#running.then(() => this.#schedule(limits.discoverySoonMs));
  }

  async close(): Promise<void> {
    this.#abort.abort(new Error('controllers closed'));
    this.#timer?.cancel();
    await this.#running;
  }

  /** Asks now. Throws as {@link discoverResources}, and then nothing has changed. */
  async refresh(signal: AbortSignal): Promise<void> {
    const { resources, failed } = await discoverResources(this.#context.client, signal);
    const isKept = ({ group, version }: DiscoveredResource) =>
      failed.includes(formatApiVersion(group, version));
    const kept = this.#resources.filter(
      (known) => isKept(known) && !resources.some((resource) => nameOf(resource) === nameOf(known)),
    );
    const before = this.#resources.map(nameOf).join();
    this.#resources = [...resources, ...kept];
    this.#failed = failed;
    if (this.#resources.map(nameOf).join() === before) return;
    for (const listener of this.#listeners) listener();
  }

  #schedule(delayMs: number): void {
    this.#timer?.cancel();
    if (!this.#abort.signal.aborted) this.#timer = this.#context.clock.after(delayMs, () => this.start());
  }
}

function nameOf({ group, version, plural, verbs }: DiscoveredResource): string {
  return `${group}/${version}/${plural} ${verbs.join(' ')}`;
}

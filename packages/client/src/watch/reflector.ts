import { backoff, type Clock, sleep } from '@wherry/clock';
import { StatusError } from '@wherry/kubeapi/objects';
import { limits } from '../limits.ts';
import type { KubeList, KubeObject } from '../objects/objects.ts';
import type { ResourceClient, SelectOptions } from '../resources/resource-client.ts';
import type { WatchEvent } from '../resources/watch-events.ts';
import { followChanges, isExpired, isInitialEnd, isTooLarge } from './follow.ts';
import { keyOf } from './store.ts';

/** Who is told what a {@link Reflector} sees. */
export interface Reflection<T> {
  /** All there is now. */
  replace(objects: readonly T[]): void;
  change(event: WatchEvent<T>): void;
  /** A list or watch failed and will be tried again. */
  failed(error: Error): void;
  /** A watch stands. */
  watching(): void;
}

/** What a {@link Reflector} is made of. */
export interface ReflectorOptions<T extends KubeObject> {
  resource: ResourceClient<T>;
  select: Pick<SelectOptions, 'namespace' | 'labelSelector' | 'fieldSelector'>;
  /** True takes the first state as a stream of events (WatchList) where the server offers it. */
  streamsList: boolean;
  clock: Clock;
  random: () => number;
  reflection: Reflection<T>;
}

/**
 * Lists and watches for ever. Which state a list asks for follows client-go's reflector: the first may be any that the
 * server has at hand (version 0), a later one is not older than what was seen, and after 410 the newest is asked for.
 */
export class Reflector<T extends KubeObject> {
  readonly #options: ReflectorOptions<T>;
  #streamsList: boolean;
  /** The last version that was seen; undefined before the first list. */
  #version: string | undefined;
  #isUnavailable = false;

  constructor(options: ReflectorOptions<T>) {
    this.#options = options;
    this.#streamsList = options.streamsList;
  }

  /** The version up to which all has been told; undefined before the first list and while a new one is made. */
  get version(): string | undefined {
    return this.#isUnavailable ? undefined : this.#version;
  }

  /** Resolves once `signal` aborts. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock, random, reflection } = this.#options;
    const delays = backoff({ ...limits.informerBackoffMs, jitter: 0.5, random });
    const goesOn = () => delays.reset();
    while (!signal.aborted) {
      const begunMs = clock.monotonicMs();
      try {
        if (this.#streamsList) await this.#followFromStart(signal, goesOn);
        else await this.#listAndFollow(signal, goesOn);
      } catch (error) {
        if (signal.aborted) return;
        if (this.#isRefusedStream(error)) this.#streamsList = false;
        else if (isExpired(error) || isTooLarge(error)) this.#isUnavailable = true;
        else reflection.failed(asError(error));
        if (clock.monotonicMs() - begunMs >= limits.informerCalmMs) delays.reset();
        await sleep({ clock, delayMs: delays.nextDelayMs(), signal, keepsAlive: true }).catch(() => {});
      }
    }
  }

  async #listAndFollow(signal: AbortSignal, goesOn: () => void): Promise<never> {
    const { resource, select, reflection } = this.#options;
    const resourceVersion = this.#isUnavailable ? undefined : (this.#version ?? '0');
    const list: KubeList<T> = await resource.listAll({
      ...select,
      resourceVersion,
      pageTimeoutMs: limits.listPageTimeoutMs,
      signal,
    });
    this.#isUnavailable = false;
    this.#version = list.metadata?.resourceVersion ?? '0';
    reflection.replace(list.items);
    // A list alone is no progress: where watching is refused, lists would follow each other without a pause.
    for await (const event of this.#events(signal, this.#version)) {
      this.#note(event);
      if (event.type !== 'BOOKMARK') reflection.change(event);
      goesOn();
    }
    throw signal.reason;
  }

  async #followFromStart(signal: AbortSignal, goesOn: () => void): Promise<never> {
    const { reflection } = this.#options;
    let arrived: Map<string, T> | undefined = new Map();
    for await (const event of this.#events(signal, undefined)) {
      if (!arrived) {
        this.#note(event);
        if (event.type !== 'BOOKMARK') reflection.change(event);
        goesOn();
      } else if (isInitialEnd(event)) {
        this.#note(event);
        reflection.replace([...arrived.values()]);
        arrived = undefined;
      } else if (event.type === 'DELETED') arrived.delete(keyOf(event.object));
      else if (event.type !== 'BOOKMARK') arrived.set(keyOf(event.object), event.object);
    }
    throw signal.reason;
  }

  #events(signal: AbortSignal, resourceVersion: string | undefined) {
    const { resource, select, clock, random, reflection } = this.#options;
    const sendsInitialEnd = resourceVersion === undefined;
    const failed = (error: Error) => reflection.failed(error);
    const opened = () => reflection.watching();
    return followChanges({
      ...{ resource, select, resourceVersion, sendsInitialEnd, clock, random, signal, failed, opened },
    });
  }

  #note({ object }: WatchEvent<T>): void {
    this.#version = object.metadata?.resourceVersion || this.#version;
  }

  /**
   * Servers without WatchList, or with it switched off, refuse the parameter; older ones take no notice and fall silent. What can
   * not be watched, or not by this user, may be there to be listed.
   */
  #isRefusedStream(error: unknown): boolean {
    if (!this.#streamsList || this.#version !== undefined) return false;
    return error instanceof StatusError ? streamRefusals.has(error.code) : isSilence(error);
  }
}

const streamRefusals = new Set([400, 403, 404, 405, 406, 422]);

function isSilence(error: unknown): boolean {
  return (
    error instanceof Error && 'code' in error && error.code === 'unreachable' && error.cause === undefined
  );
}

function asError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error(String(reason));
}

import { type FSWatcher, mkdirSync, watch } from 'node:fs';
import { type Clock, sleep, type Timer } from '@wherry/clock';
import type { Logger } from '@wherry/telemetry';
import { messageOf } from '../errors.ts';
import { limits } from '../limits.ts';
import { statusCalls, versionCalls } from './chain.ts';
import { readConfFolder } from './conf-folder.ts';
import { type NetworkList, textOfList } from './network-list.ts';
import type { Plugins } from './plugins.ts';

/** What a loader works with. */
export interface NetworkLoaderOptions {
  confDir: string;
  plugins: Plugins;
  clock: Clock;
  logger: Logger;
  /** Told of each network that is new or another one. */
  onLoaded(list: NetworkList): void;
}

const notInitialized = 'cni plugin not initialized';

/** The network that the folder of configurations says, followed as it changes, and whether it takes pods. */
export class NetworkLoader {
  readonly #options: NetworkLoaderOptions;
  readonly #closing = new AbortController();
  #watcher: FSWatcher | undefined;
  #timer: Timer | undefined;
  #loading: Promise<void> | undefined;
  #isStale = false;
  #loadedMs = Number.NEGATIVE_INFINITY;
  #list: NetworkList | undefined;
  #loadFailure: string | undefined = notInitialized;
  #statusFailure: string | undefined;

  constructor(options: NetworkLoaderOptions) {
    this.#options = options;
  }

  /** The network that pods join. */
  get list(): NetworkList | undefined {
    return this.#list;
  }

  /** Why pods cannot be taken, in containerd's words; null when they can. */
  get problem(): string | null {
    const failure = this.#list ? this.#statusFailure : notInitialized;
    return failure === undefined ? null : `Network plugin returns error: ${failure}`;
  }

  /** How the last attempt to load went. */
  get lastLoad(): string {
    return this.#loadFailure ?? 'OK';
  }

  /** Loads, and follows changes from now on. */
  async open(): Promise<void> {
    const { confDir } = this.#options;
    try {
      mkdirSync(confDir, { recursive: true, mode: 0o755 });
    } catch (error) {
      this.#options.logger.warn('the folder of CNI configurations cannot be made', {
        error: messageOf(error),
      });
    }
    await this.#look();
  }

  async close(): Promise<void> {
    this.#closing.abort(new Error('the runtime is stopping'));
    this.#timer?.cancel();
    this.#watcher?.close();
    await this.#loading;
  }

  /** Looks again, now and every few seconds: the folder may have been replaced, and STATUS may have changed. */
  async #look(): Promise<void> {
    this.#timer?.cancel();
    this.#follow();
    await this.#load();
    if (this.#closing.signal.aborted) return;
    this.#timer = this.#options.clock.after(limits.cniLookMs, () => void this.#look());
  }

  #follow(): void {
    if (this.#watcher) return;
    try {
      const watcher = watch(this.#options.confDir, { persistent: false }, () => void this.#load());
      watcher.on('error', () => this.#forget(watcher));
      this.#watcher = watcher;
    } catch {
      // There is no such folder now; the next look tries again.
    }
  }

  #forget(watcher: FSWatcher): void {
    watcher.close();
    if (this.#watcher === watcher) this.#watcher = undefined;
  }

  /** One at a time; a change that comes meanwhile is looked at afterwards. */
  #load(): Promise<void> {
    this.#isStale = true;
    this.#loading ??= this.#loadUntilFresh().finally(() => {
      this.#loading = undefined;
    });
    return this.#loading;
  }

  async #loadUntilFresh(): Promise<void> {
    while (this.#isStale && !this.#closing.signal.aborted) {
      await this.#pause();
      this.#isStale = false;
      await this.#loadOnce();
      this.#loadedMs = this.#options.clock.monotonicMs();
    }
  }

  /** Waits until the load before this one is a while ago. */
  async #pause(): Promise<void> {
    const { clock } = this.#options;
    const delayMs = this.#loadedMs + limits.cniLookPauseMs - clock.monotonicMs();
    if (delayMs <= 0) return;
    await sleep({ clock, delayMs, signal: this.#closing.signal }).catch(() => {});
  }

  async #loadOnce(): Promise<void> {
    const { confDir, logger } = this.#options;
    try {
      const read = readConfFolder(confDir);
      if (!read) throw new Error(`no network config found in ${confDir}: ${notInitialized}`);
      await this.#take(read);
      this.#loadFailure = undefined;
    } catch (error) {
      if (this.#closing.signal.aborted) return;
      const failure = `cni config load failed: ${messageOf(error)}: failed to load cni config`;
      if (failure !== this.#loadFailure) logger.warn('no CNI network', { error: failure });
      this.#list = undefined;
      this.#loadFailure = failure;
    }
  }

  /** The plug-ins are asked for their versions when the file is another one, and for their STATUS each time. */
  async #take(read: NetworkList): Promise<void> {
    const { plugins, logger, onLoaded } = this.#options;
    const { signal } = this.#closing;
    const isKnown = this.#list?.source === read.source && sameText(this.#list, read);
    const version =
      isKnown && this.#list ? this.#list.version : await plugins.run(versionCalls(read), turn, signal);
    const list = { ...read, version };
    this.#statusFailure = await plugins.run(statusCalls(list), turn, signal).then(
      () => undefined,
      (error) => messageOf(error),
    );
    this.#list = list;
    if (isKnown) return;
    logger.info('the CNI network is loaded', { network: list.name, version });
    onLoaded(list);
  }
}

/** Not told apart by the version that was chosen. */
const sameText = (one: NetworkList, other: NetworkList) =>
  textOfList({ ...one, version: '1.0.0' }) === textOfList({ ...other, version: '1.0.0' });

const turn = 'cni-load';

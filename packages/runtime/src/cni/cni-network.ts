import { statfsSync } from 'node:fs';
import type { Clock, Timer } from '@wherry/clock';
import { hasCode, RouteNetlink } from '@wherry/linux';
import type { Logger } from '@wherry/telemetry';
import { messageOf, RuntimeError } from '../errors.ts';
import { limits } from '../limits.ts';
import type {
  AttachRequest,
  HeldAddress,
  PodAddress,
  PodNetwork,
  ReleaseRequest,
} from '../network/pod-network.ts';
import type { PodRange } from '../network/pod-range.ts';
import { SingleFlight } from '../state/single-flight.ts';
import { AttachmentCache, type CachedAttachment } from './attachment-cache.ts';
import { addCalls, checkCalls, delCalls, gcCalls } from './chain.ts';
import type { NetworkList } from './network-list.ts';
import { NetworkLoader } from './network-loader.ts';
import { addressesOf, type PluginResult } from './plugin-result.ts';
import { Plugins, type PluginsOptions } from './plugins.ts';
import { capabilityArgs, cniArgs } from './pod-arguments.ts';
import { statusInfo } from './status-info.ts';

/** Where a pod network by CNI has its parts. */
export interface CniNetworkOptions extends PluginsOptions {
  /** Folder of configurations; its first file by name is the pods' network. */
  confDir: string;
  /** Folder for what is kept of attachments. */
  cacheRoot: string;
  /** What plug-ins with the capability `ipRanges` are told. */
  range: PodRange;
  /** Where a sandbox's network namespace is pinned. */
  namespacePath(sandboxId: string): string;
  clock: Clock;
  logger: Logger;
}

const interfaceName = 'eth0';
const nsfsMagic = 0x6e736673;

/** The pods' network is what CNI plug-ins make of it. */
export class CniNetwork implements PodNetwork {
  readonly #options: CniNetworkOptions;
  readonly #plugins: Plugins;
  readonly #cache: AttachmentCache;
  readonly #loader: NetworkLoader;
  readonly #releases = new SingleFlight<void>();
  /** Sandboxes that this runtime has begun to connect and not released: their records may not be there yet. */
  readonly #joined = new Set<string>();
  readonly #checks = new Map<string, string>();
  readonly #closing = new AbortController();
  #held: () => readonly HeldAddress[] = () => [];
  #sweep: Timer | undefined;
  #background: Promise<void> = Promise.resolve();
  #isFirstLoad = true;

  constructor(options: CniNetworkOptions) {
    this.#options = options;
    this.#plugins = new Plugins(options);
    this.#cache = new AttachmentCache(options.cacheRoot);
    const { confDir, clock, logger } = options;
    const onLoaded = (list: NetworkList) => this.#onLoaded(list);
    this.#loader = new NetworkLoader({ confDir, plugins: this.#plugins, clock, logger, onLoaded });
  }

  get problem(): string | null {
    return this.#loader.problem;
  }

  /** Plug-ins are asked in the background: a start waits for none. */
  async open(held: () => readonly HeldAddress[]): Promise<void> {
    this.#held = held;
    this.#cache.open();
    this.#inBackground(() => this.#loader.open());
    this.#inBackground(() => this.#clearLeftOver());
  }

  async adoptRange(text: string): Promise<void> {
    this.#options.range.tell(text);
  }

  info(): Record<string, string> {
    const { binDirs, confDir } = this.#options;
    const { list, lastLoad } = this.#loader;
    return statusInfo({ binDirs, confDir, interfaceName, list, lastLoad });
  }

  reserve(): null {
    return null;
  }

  /** The pod's loopback needs no plug-in. */
  connect(): void {
    using routes = new RouteNetlink();
    routes.setLink('lo', { up: true });
  }

  async attach({ sandboxId, config }: AttachRequest): Promise<PodAddress> {
    const { range } = this.#options;
    const { list, problem } = this.#loader;
    if (!list) throw new RuntimeError('UNAVAILABLE', `pod network: ${problem}`);
    const attachment = {
      containerId: sandboxId,
      namespacePath: this.#options.namespacePath(sandboxId),
      interfaceName,
      args: cniArgs(sandboxId, config),
      capabilityArgs: capabilityArgs(config, range.told()),
    };
    this.#tellUntaken(list, attachment.capabilityArgs, sandboxId);
    this.#joined.add(sandboxId);
    try {
      this.#cache.put({ list, attachment });
      const keep = (result: PluginResult) => this.#cache.put({ list, attachment, result });
      const calls = addCalls(list, attachment, keep);
      const result = await this.#plugins.run(calls, turnOf(sandboxId), this.#closing.signal);
      const [ip, ...additionalIps] = addressesOf(result, interfaceName);
      if (ip === undefined)
        throw new RuntimeError('UNKNOWN', `network "${list.name}" gave no address for ${interfaceName}`);
      return { ip, additionalIps, hostInterface: '', cniNetwork: list.name };
    } catch (error) {
      throw failure(`failed to setup network for sandbox "${sandboxId}"`, error);
    }
  }

  async release({ sandboxId }: ReleaseRequest): Promise<void> {
    try {
      await this.#releases.run(sandboxId, () => this.#detach(sandboxId));
    } finally {
      // What failed is tried again, unless the record of the sandbox still holds it.
      this.#joined.delete(sandboxId);
    }
  }

  /** What CHECK had against a pod's network when the runtime started. */
  complaintOf(sandboxId: string): string | undefined {
    return this.#checks.get(sandboxId);
  }

  async close(): Promise<void> {
    this.#closing.abort(new Error('the runtime is stopping'));
    this.#sweep?.cancel();
    await this.#loader.close();
    await this.#background;
  }

  async #detach(sandboxId: string): Promise<void> {
    try {
      for (const cached of this.#cache.of(sandboxId)) {
        const { list, result } = cached;
        const attachment = { ...cached.attachment, namespacePath: this.#livingNamespace(sandboxId) };
        await this.#plugins.run(delCalls(list, attachment, result), turnOf(sandboxId), this.#closing.signal);
        this.#cache.remove(cached);
      }
      this.#checks.delete(sandboxId);
    } catch (error) {
      throw failure(`failed to destroy network for sandbox "${sandboxId}"`, error);
    }
  }

  /** '' when it is gone, as after a restart of the machine: addresses and rules are given back all the same. */
  #livingNamespace(sandboxId: string): string {
    const path = this.#options.namespacePath(sandboxId);
    try {
      return statfsSync(path).type === nsfsMagic ? path : '';
    } catch (error) {
      if (hasCode(error, 'ENOENT')) return '';
      throw error;
    }
  }

  /** A pod asks for host ports or bandwidth, and no plug-in says that it takes them: some do it unasked. */
  #tellUntaken(list: NetworkList, args: object, sandboxId: string): void {
    for (const name of ['portMappings', 'bandwidth']) {
      if (!Object.hasOwn(args, name) || list.plugins.some(({ capabilities }) => capabilities.includes(name)))
        continue;
      const words = 'a pod asks for what no CNI plug-in of its network has as a capability';
      this.#options.logger.warn(words, { sandbox: sandboxId, network: list.name, capability: name });
    }
  }

  #onLoaded(list: NetworkList): void {
    if (!this.#isFirstLoad) return;
    this.#isFirstLoad = false;
    this.#inBackground(() => this.#settle(list));
  }

  /** Once after a start: plug-ins drop what is of no pod any more, and look after what is. */
  async #settle(list: NetworkList): Promise<void> {
    const { logger } = this.#options;
    const { signal } = this.#closing;
    const valid = this.#cache
      .list()
      .filter((cached) => cached.list.name === list.name && this.#isWanted(cached))
      .map(({ attachment }) => ({ containerID: attachment.containerId, ifname: interfaceName }));
    await this.#plugins
      .run(gcCalls(list, valid), 'cni-gc', signal)
      .catch((error) => logger.warn('CNI plug-ins could not clear up', { error: messageOf(error) }));
    for (const { request, ready } of this.#held()) if (ready) await this.#check(request.sandboxId);
  }

  async #check(sandboxId: string): Promise<void> {
    const { logger } = this.#options;
    for (const { list, attachment, result } of this.#cache.of(sandboxId)) {
      try {
        await this.#plugins.run(
          checkCalls(list, attachment, result),
          turnOf(sandboxId),
          this.#closing.signal,
        );
      } catch (error) {
        if (this.#closing.signal.aborted || !this.#isHeld(sandboxId)) return;
        logger.warn("a pod's network is not what it was", { sandbox: sandboxId, error: messageOf(error) });
        this.#checks.set(sandboxId, messageOf(error));
      }
    }
  }

  #isHeld(sandboxId: string): boolean {
    return this.#held().some(({ request }) => request.sandboxId === sandboxId);
  }

  #isWanted({ attachment: { containerId } }: CachedAttachment): boolean {
    return this.#joined.has(containerId) || this.#isHeld(containerId);
  }

  /** Attachments of sandboxes that are gone: a crash, or a DEL that failed. They are tried again until none is left. */
  async #clearLeftOver(): Promise<void> {
    const { clock, logger } = this.#options;
    for (const cached of this.#cache.list().filter((each) => !this.#isWanted(each))) {
      const { containerId: sandboxId } = cached.attachment;
      await this.release({ sandboxId }).catch((error) => {
        if (this.#closing.signal.aborted) return;
        logger.warn('what is left of a pod in its network was not taken away', { error: messageOf(error) });
      });
    }
    if (this.#closing.signal.aborted) return;
    this.#sweep = clock.after(limits.cniSweepMs, () => this.#inBackground(() => this.#clearLeftOver()));
  }

  #inBackground(work: () => Promise<void>): void {
    const { logger } = this.#options;
    const done = work().catch((error) => {
      if (!this.#closing.signal.aborted) logger.error('the CNI network', { error: messageOf(error) });
    });
    this.#background = this.#background.then(() => done);
  }
}

/** Whatever is done to one pod is done one after another, also by a runtime that came after one that was killed. */
const turnOf = (sandboxId: string) => `cni-${sandboxId}`;

const failure = (what: string, error: unknown) =>
  new RuntimeError(error instanceof RuntimeError ? error.code : 'UNKNOWN', `${what}: ${messageOf(error)}`, {
    cause: error,
  });

import { ContainerEventType, NamespaceMode, type PodSandboxConfig } from '@wherry/cri';
import {
  hasCode,
  type PinnableNamespace,
  pinNamespaces,
  pinUserNamespace,
  unmount,
  unpinNamespace,
} from '@wherry/linux';
import type { Logger } from '@wherry/telemetry';
import { messageOf, RuntimeError } from '../errors.ts';
import type { AttachRequest, PodNetwork } from '../network/pod-network.ts';
import { type CgroupDriver, cgroupsPath } from '../spec/cgroup-path.ts';
import { handlerOf, type OciRuntimes, ociRuntimeOf } from '../spec/runtime-handler.ts';
import { checkSandboxUser } from '../spec/user.ts';
import { newId } from '../state/id.ts';
import type { NanosecondClock } from '../state/nanosecond-clock.ts';
import { SingleFlight } from '../state/single-flight.ts';
import { unpinnedNamespace } from './pins.ts';
import type { PodLifecycle } from './pod-lifecycle.ts';
import { podUsers } from './pod-users.ts';
import type { ProcessHolders } from './process-holder.ts';
import {
  checkHostname,
  makeSandboxFiles,
  namespaceModes,
  sandboxFiles,
  sandboxHostname,
} from './sandbox-files.ts';
import type { Sandbox } from './sandbox-record.ts';
import { isHostNetwork, type SandboxStore, sandboxName } from './sandbox-store.ts';
import { applyOwnedSysctls, applySysctls, isOfNetwork, sandboxSysctls } from './sysctls.ts';

/** What a sandbox service works with. */
export interface SandboxServiceOptions {
  store: SandboxStore;
  network: PodNetwork;
  holders: ProcessHolders;
  clock: NanosecondClock;
  lifecycle: PodLifecycle;
  logger: Logger;
  bootId: string;
  cgroupDriver: CgroupDriver;
  cgroupRoot: string;
  /** Why pods can't have user namespaces here; null when they can. */
  userNamespaceProblem: string | null;
  ociRuntimes: OciRuntimes;
  /** Stops and removes the containers of a sandbox. */
  containers: { stopAll(sandboxId: string): Promise<void>; removeAll(sandboxId: string): Promise<void> };
  /** Takes away what containers had mounted below the sandbox's folder. */
  releaseMounts(sandboxFolder: string): void;
  /** Ends the sessions to a sandbox that has stopped. */
  endSessions(sandboxId: string): Promise<unknown>;
  /** Told what happened, after it is in the store. */
  onEvent(sandbox: Sandbox, type: ContainerEventType): void;
}

const attachRequest = ({ id, config }: Sandbox): AttachRequest => ({ sandboxId: id, config });

/** Pod sandboxes: namespaces pinned by mounts instead of held by a process, their network and their files. */
export class SandboxService {
  readonly #options: SandboxServiceOptions;
  readonly #stops = new SingleFlight<void>();

  constructor(options: SandboxServiceOptions) {
    this.#options = options;
  }

  /** Makes a sandbox that is ready when the call returns. A failure leaves nothing. Throws `RuntimeError`. */
  async run(config: PodSandboxConfig, runtimeHandler: string): Promise<string> {
    check(config);
    handlerOf(this.#options.ociRuntimes.runtimeHandlers, runtimeHandler);
    this.#checkUsers(config);
    const id = newId();
    this.#cgroupsPath(id, config);
    return this.#options.store.names.create(sandboxName(config), id, () =>
      this.#make(id, config, runtimeHandler),
    );
  }

  /** Kills what runs in a sandbox, takes its network away, keeps its record. Repeats and unknown ids are fine. */
  async stop(id: string): Promise<void> {
    const sandbox = this.#options.store.get(id);
    if (sandbox) await this.#stops.run(sandbox.id, () => this.#stop(sandbox));
  }

  /** Stops a sandbox and removes it with its containers. Unknown ids are fine. */
  async remove(id: string): Promise<void> {
    const { store, containers, lifecycle, onEvent } = this.#options;
    const sandbox = store.get(id);
    if (!sandbox) return;
    await this.stop(sandbox.id);
    await containers.removeAll(sandbox.id);
    if (!lifecycle.isIdle) await lifecycle.podRemoved(store.get(sandbox.id) ?? sandbox);
    if (!store.get(sandbox.id)) return;
    onEvent(sandbox, ContainerEventType.CONTAINER_DELETED_EVENT);
    await store.remove(sandbox);
  }

  /**
   * The process that held a sandbox's process namespace is gone, and with it every process inside: nothing can be started
   * there any more. The sandbox is not ready; who runs pods replaces it. Repeats change nothing.
   */
  holderLost(id: string): void {
    const { store, logger } = this.#options;
    const sandbox = store.get(id);
    if (!sandbox?.ready) return;
    logger.warn('the holder of a shared process namespace has ended', { sandbox: id });
    this.#notReady(sandbox);
  }

  /**
   * Looks whether the namespaces of a sandbox are still pinned. One that has lost a pin is not ready: what runs there runs on, and
   * nothing can be started beside it. Unknown ids are fine.
   */
  checkPins(id: string): void {
    const { store, logger } = this.#options;
    const sandbox = store.get(id);
    const namespace = sandbox?.ready ? unpinnedNamespace(sandbox) : undefined;
    if (!sandbox || namespace === undefined) return;
    logger.warn('somebody unmounted a namespace of a sandbox', { sandbox: sandbox.id, namespace });
    this.#notReady(sandbox);
  }

  /** Clears away what a crash left of a sandbox that has no record. */
  async discard(id: string): Promise<void> {
    const { holders, network } = this.#options;
    await holders.stop(id).catch((error) => this.#warn('a holder was not ended', id, error));
    await network.release({ sandboxId: id }, null);
    this.#releaseFiles(id);
    await this.#options.store.folder.remove(id);
  }

  async #make(id: string, config: PodSandboxConfig, runtimeHandler: string): Promise<void> {
    const { store, network, clock, bootId, lifecycle, onEvent } = this.#options;
    const folder = store.folder.make(id);
    const sandbox: Sandbox = {
      id,
      config,
      runtimeHandler,
      createdAtNs: clock.now(),
      ready: false,
      bootId,
      namespaces: {},
      address: null,
      holderPid: null,
    };
    try {
      makeSandboxFiles(folder, config);
      if (!isHostNetwork(config)) this.#reserveNetwork(sandbox);
      await this.#pin(sandbox);
      if (!isHostNetwork(config))
        sandbox.address = await network.attach(attachRequest(sandbox), sandbox.address);
      if (namespaceModes(config).pid === NamespaceMode.POD)
        sandbox.holderPid = await this.#startHolder(sandbox);
      using _hold = await lifecycle.hold();
      if (!lifecycle.isIdle) await lifecycle.podRunning({ ...sandbox, ready: true });
      store.put({ ...sandbox, ready: true });
    } catch (error) {
      await this.#abandon(sandbox);
      throw error;
    }
    onEvent(store.find(id), ContainerEventType.CONTAINER_CREATED_EVENT);
    onEvent(store.find(id), ContainerEventType.CONTAINER_STARTED_EVENT);
  }

  #reserveNetwork(sandbox: Sandbox): void {
    const { network } = this.#options;
    if (network.problem !== null) throw new RuntimeError('UNAVAILABLE', `pod network: ${network.problem}`);
    sandbox.address = network.reserve(attachRequest(sandbox));
  }

  #checkUsers(config: PodSandboxConfig): void {
    const { userNamespaceProblem: problem } = this.#options;
    if (problem === null || !podUsers(config)) return;
    throw new RuntimeError('FAILED_PRECONDITION', `user namespaces cannot be had here: ${problem}`);
  }

  async #pin(sandbox: Sandbox): Promise<void> {
    const { store, network } = this.#options;
    const { config, address } = sandbox;
    const types: PinnableNamespace[] = [];
    if (!isHostNetwork(config)) types.push('net', 'uts');
    if (namespaceModes(config).ipc !== NamespaceMode.NODE) types.push('ipc');
    if (types.length === 0) return;
    const users = podUsers(config);
    const sysctls = sandboxSysctls(config);
    const request = {
      types,
      directory: store.folder.path(sandbox.id, sandboxFiles.namespaces),
      ...(types.includes('uts') && { hostname: sandboxHostname(config) }),
      inside: () => {
        if (!isHostNetwork(config)) network.connect(address);
        applySysctls(users ? sysctls.filter(isOfNetwork) : sysctls);
      },
    };
    if (!users) {
      sandbox.namespaces = pinNamespaces(request);
      return;
    }
    const maps = { uids: [users.uids], gids: [users.gids] };
    sandbox.namespaces = await pinUserNamespace({ ...request, maps });
    const { user = '', ipc = '' } = sandbox.namespaces;
    const others = sysctls.filter((sysctl) => !isOfNetwork(sysctl));
    applyOwnedSysctls(others, { user, ipc });
  }

  #startHolder(sandbox: Sandbox): Promise<number> {
    const { store, holders, ociRuntimes } = this.#options;
    return holders.start({
      sandboxId: sandbox.id,
      folder: store.folder.path(sandbox.id),
      cgroupsPath: this.#cgroupsPath(sandbox.id, sandbox.config),
      namespaces: sandbox.namespaces,
      users: podUsers(sandbox.config),
      ociRuntime: ociRuntimeOf(ociRuntimes, sandbox.runtimeHandler),
    });
  }

  #cgroupsPath(id: string, { linux }: PodSandboxConfig): string {
    const { cgroupDriver: driver, cgroupRoot: defaultParent } = this.#options;
    return cgroupsPath({ driver, parent: linux?.cgroupParent ?? '', defaultParent, id });
  }

  async #stop(sandbox: Sandbox): Promise<void> {
    const { store, containers, lifecycle, endSessions } = this.#options;
    const wasUp = sandbox.ready || Object.keys(sandbox.namespaces).length > 0;
    // From here on nothing is started in it; what is being started already is waited for and stopped.
    if (sandbox.ready) this.#notReady(sandbox);
    await containers.stopAll(sandbox.id);
    if (wasUp && !lifecycle.isIdle) await lifecycle.podStopping(sandbox);
    await endSessions(sandbox.id).catch((error) => this.#warn('forwards were not ended', sandbox.id, error));
    await this.#release(sandbox);
    const current = store.get(sandbox.id);
    if (!current) return;
    const { address } = current;
    const gone = { ready: false, address: null, namespaces: {}, holderPid: null };
    store.put({ ...current, ...gone, ...(address && { lastIps: [address.ip, ...address.additionalIps] }) });
  }

  #notReady(sandbox: Sandbox): void {
    const { store, onEvent } = this.#options;
    store.put({ ...sandbox, ready: false });
    onEvent(store.find(sandbox.id), ContainerEventType.CONTAINER_STOPPED_EVENT);
  }

  async #release(sandbox: Sandbox): Promise<void> {
    const { network, holders } = this.#options;
    if (namespaceModes(sandbox.config).pid === NamespaceMode.POD && sandbox.holderPid !== null) {
      await holders.stop(sandbox.id);
    }
    if (sandbox.address) await network.release(attachRequest(sandbox), sandbox.address);
    this.#releaseFiles(sandbox.id);
  }

  /** Clears away a sandbox that was not made to the end. What one step leaves, the next ones do not. */
  async #abandon(sandbox: Sandbox): Promise<void> {
    const { id, address, config } = sandbox;
    const { store, network, holders } = this.#options;
    const warn = (error: unknown) => this.#warn('a failed sandbox was not cleared', id, error);
    if (namespaceModes(config).pid === NamespaceMode.POD) await holders.stop(id).catch(warn);
    // The network tries again by itself what it could not take away now.
    if (!isHostNetwork(config)) await network.release({ sandboxId: id }, address).catch(warn);
    try {
      this.#releaseFiles(id);
      await store.folder.remove(id);
    } catch (error) {
      warn(error);
    }
  }

  #releaseFiles(id: string): void {
    const { folder } = this.#options.store;
    this.#options.releaseMounts(folder.path(id));
    for (const type of ['net', 'ipc', 'uts', 'user'])
      unpinNamespace(folder.path(id, sandboxFiles.namespaces, type));
    try {
      unmount(folder.path(id, sandboxFiles.sharedMemory), { detach: true });
    } catch (error) {
      if (!hasCode(error, 'ENOENT', 'EINVAL')) throw error;
    }
  }

  #warn(message: string, id: string, error: unknown): void {
    this.#options.logger.warn(message, { sandbox: id, error: messageOf(error) });
  }
}

function check(config: PodSandboxConfig): void {
  if (!config.metadata?.name || !config.metadata.uid) {
    throw new RuntimeError('INVALID_ARGUMENT', 'a pod sandbox needs metadata with a name and a uid');
  }
  checkHostname(config);
  sandboxSysctls(config);
  podUsers(config);
  checkSandboxUser(config.linux?.securityContext);
}

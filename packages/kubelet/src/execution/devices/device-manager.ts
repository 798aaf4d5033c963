import { readdir, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '@wherry/clock';
import type { Container, ContainerStatus } from '@wherry/kubeapi';
import { isSidecar } from '@wherry/podrules';
import type { Histogram, Logger } from '@wherry/telemetry';
import { amountOf } from '../../pod/amount.ts';
import type { AssignedPod } from '../../pod/assigned-pod.ts';
import type { DeviceCapacity } from '../../reporting/node/node-status.ts';
import { chooseDevices, type DeviceChoices } from './choose-devices.ts';
import { readDeviceCheckpoint, writeDeviceCheckpoint } from './device-checkpoint.ts';
import { DeviceGrants, type GrantEntry, idsOf, noNode } from './device-grants.ts';
import { DeviceInventory } from './device-inventory.ts';
import { type DeviceSettings, deviceSettings } from './device-settings.ts';
import { DeviceSources } from './device-sources.ts';

/** What the manager is made of. */
export interface DeviceManagerOptions {
  /** Where the record is kept, and where plug-ins have their sockets. */
  folder: string;
  clock: Clock;
  logger: Logger;
  /** Seconds that plug-ins took to give devices away. */
  durations: Histogram;
  /** Whether a pod runs, is about to, or still stops: its devices are nobody else's. */
  isActive(uid: string): boolean;
  /** There are other devices than before. */
  onChanged(): void;
  /** Devices of a pod became healthy or ceased to be. */
  onPodChanged(uid: string): void;
}

/** What is known when a pod is taken in. */
export interface DeviceRequest {
  /** Sources of pods have not all spoken: the pod may have run before this kubelet. */
  isStarting: boolean;
  /** Whether a container of the pod runs already: then it has its devices. */
  isRunning(container: string): boolean;
}

type Asked = { resource: string; required: number };

/** The devices of the node that plug-ins bring, and which containers have them (upstream: pkg/kubelet/cm/devicemanager). */
export class DeviceManager {
  readonly #options: DeviceManagerOptions;
  readonly #inventory: DeviceInventory;
  /** The plug-ins themselves: they come and go. */
  readonly sources: DeviceSources;
  readonly #grants = new DeviceGrants();
  readonly #abort = new AbortController();
  #isSettled = false;
  /** One pod after the other is given devices. */
  #turn: Promise<unknown> = Promise.resolve();

  constructor(options: DeviceManagerOptions) {
    this.#options = options;
    const { clock, logger } = options;
    this.#inventory = new DeviceInventory(clock);
    this.sources = new DeviceSources({
      inventory: this.#inventory,
      logger,
      signal: this.#abort.signal,
      onChanged: (resource, ids) => this.#changed(resource, ids),
    });
  }

  get #checkpoint(): string {
    return join(this.#options.folder, 'kubelet_internal_checkpoint');
  }

  /** Takes over what an earlier kubelet noted; sockets of plug-ins that it knew are removed, which tells them to register. */
  async load(): Promise<void> {
    const { folder, logger } = this.#options;
    for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => []))
      if (entry.isSocket()) await unlink(join(folder, entry.name));
    try {
      const known = readDeviceCheckpoint(this.#checkpoint);
      for (const entry of known?.grants ?? []) this.#grants.set(entry);
      this.#inventory.adopt(known?.registered.keys() ?? []);
    } catch (error) {
      const facts = { path: this.#checkpoint, error };
      logger.warn('what devices containers have can not be read; they may be given away again', facts);
    }
  }

  close(): void {
    this.#abort.abort(new Error('the kubelet is stopping'));
  }

  /** Every pod of the node is known: devices of others may be taken back. */
  settle(): void {
    this.#isSettled = true;
  }

  #changed(resource: string, ids: readonly string[]): void {
    this.#save();
    this.#options.onChanged();
    for (const uid of this.#grants.holders(resource, new Set(ids))) this.#options.onPodChanged(uid);
  }

  /** Resources of the node that plug-ins bring. */
  get capacity(): DeviceCapacity {
    if (this.#inventory.expire()) this.#save();
    return this.#inventory.capacity;
  }

  /** Whether a resource is brought by plug-ins, or was given away before. */
  brings(resource: string): boolean {
    return this.#inventory.has(resource) || this.#grants.has(resource);
  }

  /** Whether a container of the pod asks for devices. */
  areAskedFor(pod: AssignedPod): boolean {
    return grantedContainers(pod).some((container) => this.#asked(container).length > 0);
  }

  /** Gives the containers of a pod their devices. Throws why they can't have them; then they have none. */
  allocate(pod: AssignedPod, request: DeviceRequest): Promise<void> {
    const turn = this.#turn.then(() => this.#allocate(pod, request));
    this.#turn = turn.catch(() => {});
    return turn;
  }

  /** Takes back what a pod has. */
  release(uid: string): void {
    if (this.#grants.keep((other) => other !== uid)) this.#save();
  }

  async #allocate(pod: AssignedPod, request: DeviceRequest): Promise<void> {
    const { isActive } = this.#options;
    const { uid } = pod.metadata;
    let isNew = this.#isSettled && this.#grants.keep((other) => other === uid || isActive(other));
    const reusable = new Map<string, Set<string>>();
    try {
      for (const container of grantedContainers(pod)) {
        for (const asked of this.#asked(container)) {
          const entry = await this.#grant({ uid, container, asked, reusable, request });
          if (entry) this.#grants.set(entry);
          isNew ||= entry !== undefined;
        }
        this.#noteReusable(pod, container, reusable);
      }
    } catch (error) {
      this.release(uid);
      throw error;
    }
    if (isNew) this.#save();
  }

  /** What init containers have is given once more to what starts after they have ended. */
  #noteReusable({ metadata, spec }: AssignedPod, container: Container, reusable: Map<string, Set<string>>) {
    const ends = spec.initContainers?.includes(container) && !isSidecar(container);
    for (const { resource, grant } of this.#grants.of(metadata.uid, container.name)) {
      const before = reusable.get(resource) ?? new Set();
      const ids = idsOf(grant);
      reusable.set(resource, ends ? before.union(ids) : before.difference(ids));
    }
  }

  async #grant(need: {
    uid: string;
    container: Container;
    asked: Asked;
    reusable: ReadonlyMap<string, Set<string>>;
    request: DeviceRequest;
  }): Promise<GrantEntry | undefined> {
    const { uid, container, asked, request } = need;
    const { resource, required } = asked;
    const held = this.#grants.get(uid, container.name, resource);
    if (request.isStarting && request.isRunning(container.name)) return undefined;
    const choices = chooseDevices({
      ...{ resource, required },
      held: held && idsOf(held),
      reusable: need.reusable.get(resource) ?? new Set(),
      isKnown: this.#inventory.has(resource),
      healthy: this.#inventory.healthy(resource),
      taken: this.#grants.taken(resource),
    });
    if (!choices) return undefined;
    const speaker = this.#inventory.speaker(resource);
    if (!speaker) throw new Error(`endpoint of ${resource} has been stopped`);
    const { clock, durations } = this.#options;
    const beganMs = clock.monotonicMs();
    const ids = await this.#chosen(resource, required, choices);
    const response = await speaker.plugIn.allocate(ids, this.#abort.signal);
    durations.observe((clock.monotonicMs() - beganMs) / 1_000, { resource_name: resource });
    const idsByNode = this.#byNode(resource, ids);
    return { uid, container: container.name, resource, grant: { idsByNode, response } };
  }

  /** The plug-in's own preference goes first, where it has one and there is a choice. */
  async #chosen(
    resource: string,
    required: number,
    { certain, available, missing }: DeviceChoices,
  ): Promise<string[]> {
    if (missing === 0) return certain;
    const { plugIn, options } = this.#inventory.speaker(resource) ?? {};
    const all = [...new Set([...available, ...certain])];
    const preferred =
      plugIn && options?.getPreferredAllocationAvailable
        ? await plugIn.preferred({ available: all, mustInclude: certain, size: required }, this.#abort.signal)
        : [];
    const free = new Set(available);
    const wanted = new Set([...preferred.filter((id) => free.has(id)), ...available]);
    return [...certain, ...wanted].slice(0, required);
  }

  #byNode(resource: string, ids: readonly string[]): Map<number, string[]> {
    const byNode = new Map<number, string[]>();
    for (const id of ids) {
      const nodes = this.#inventory.device(resource, id)?.nodes ?? [];
      for (const node of nodes.length > 0 ? nodes : [noNode])
        byNode.set(node, [...(byNode.get(node) ?? []), id]);
    }
    return byNode;
  }

  /** What a container is to be made with; its plug-ins are told that it starts. Throws when it can't have its devices. */
  async settingsOf(pod: AssignedPod, container: Container, signal: AbortSignal): Promise<DeviceSettings> {
    const { uid } = pod.metadata;
    const asked = this.#asked(container);
    if (asked.some(({ resource }) => !this.#grants.get(uid, container.name, resource)))
      await this.allocate(pod, { isStarting: false, isRunning: () => false });
    for (const { resource } of asked) {
      const grant = this.#grants.get(uid, container.name, resource);
      const speaker = this.#inventory.speaker(resource);
      if (grant && speaker?.options.preStartRequired)
        await speaker.plugIn.preStart([...idsOf(grant)], signal);
    }
    return deviceSettings(this.#grants.of(uid, container.name));
  }

  /** The devices of a container and how they are, as its status says it. */
  statusesOf(uid: string, container: string): NonNullable<ContainerStatus['allocatedResourcesStatus']> {
    return this.#grants.of(uid, container).map(({ resource, grant }) => ({
      name: resource,
      resources: [...idsOf(grant)].sort().map((id) => {
        const isHealthy = this.#inventory.device(resource, id)?.isHealthy ?? true;
        return { resourceID: id, health: isHealthy ? 'Healthy' : 'Unhealthy' };
      }),
    }));
  }

  /** What a container has. */
  grantsOf(uid: string, container: string): readonly GrantEntry[] {
    return this.#grants.of(uid, container);
  }

  /** Healthy devices by resource, with the memory nodes of the machine that they are near to. */
  get allocatable(): { resource: string; id: string; nodes: readonly number[] }[] {
    return this.#inventory.resources.flatMap((resource) =>
      this.#inventory.healthy(resource).map((id) => {
        const nodes = this.#inventory.device(resource, id)?.nodes ?? [];
        return { resource, id, nodes };
      }),
    );
  }

  #asked({ resources }: Container): Asked[] {
    return Object.entries(resources?.limits ?? {})
      .filter(([resource]) => this.brings(resource))
      .map(([resource, amount]) => ({ resource, required: Math.ceil(amountOf(amount)) }))
      .filter(({ required }) => required > 0);
  }

  #save(): void {
    const registered = new Map(
      this.#inventory.resources.map((name) => [name, this.#inventory.healthy(name)]),
    );
    try {
      writeDeviceCheckpoint(this.#checkpoint, { grants: [...this.#grants.entries], registered });
    } catch (error) {
      const facts = { path: this.#checkpoint, error };
      this.#options.logger.warn(
        'what devices containers have can not be noted; a restart will not know it',
        facts,
      );
    }
  }
}

/** Init containers first: what they had is given to others. Ephemeral ones have no resources. */
function grantedContainers(pod: AssignedPod): Container[] {
  return [...(pod.spec.initContainers ?? []), ...pod.spec.containers];
}

import { readdir, unlink } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Clock } from '@wherry/clock';
import type { Container, ContainerStatus } from '@wherry/kubeapi';
import { amountsOf, isSidecar, sumOfContainers } from '@wherry/podrules';
import type { Histogram, Logger } from '@wherry/telemetry';
import { amountOf } from '../../pod/amount.ts';
import type { AssignedPod } from '../../pod/assigned-pod.ts';
import { isClaimed } from '../../pod/claimed-resources.ts';
import type { DeviceCapacity } from '../../reporting/node/node-status.ts';
import {
  type AllocationRequest,
  anywhere,
  containersWithResources,
  type Hint,
  type HintProvider,
  type ResourceHints,
} from '../topology/hints.ts';
import type { MemoryNodes } from '../topology/memory-nodes.ts';
import type { Turns } from '../topology/turns.ts';
import { chooseDevices, type DeviceChoices } from './choose-devices.ts';
import { readDeviceCheckpoint, writeDeviceCheckpoint } from './device-checkpoint.ts';
import { DeviceGrants, type GrantEntry, idsOf, noNode } from './device-grants.ts';
import { DeviceInventory } from './device-inventory.ts';
import { type DeviceSettings, deviceSettings } from './device-settings.ts';
import { DeviceSources } from './device-sources.ts';
import { byNearness, deviceHints } from './device-topology.ts';

/** What the manager is made of. */
export interface DeviceManagerOptions {
  /** Where the record is kept, and where plug-ins have their sockets. */
  folder: string;
  clock: Clock;
  logger: Logger;
  /** Seconds that plug-ins took to give devices away. */
  durations: Histogram;
  nodes: MemoryNodes;
  /** One pod after the other is given devices. */
  turns: Turns;
  /** There are other devices than before. */
  onChanged(): void;
  /** Devices of a pod became healthy or ceased to be. */
  onPodChanged(uid: string): void;
}

type Asked = { resource: string; required: number };

/** A container that starts once its pod was taken in. */
const atStart: AllocationRequest = { isStarting: false, isRunning: () => false, isPast: () => false };

/** The devices of the node that plug-ins bring, and which containers have them (upstream: pkg/kubelet/cm/devicemanager). */
export class DeviceManager implements HintProvider {
  readonly #options: DeviceManagerOptions;
  readonly #inventory: DeviceInventory;
  /** The plug-ins themselves: they come and go. */
  readonly sources: DeviceSources;
  readonly #grants = new DeviceGrants();
  readonly #abort = new AbortController();
  /** Devices of ended init containers of the pod that is being taken in, by resource. */
  #reusable: { uid: string; ids: Map<string, Set<string>> } = { uid: '', ids: new Map() };

  constructor(options: DeviceManagerOptions) {
    this.#options = options;
    const { clock, logger } = options;
    this.#inventory = new DeviceInventory(clock);
    this.sources = new DeviceSources({
      inventory: this.#inventory,
      clock,
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
    return containersWithResources(pod).some((container) => this.#asked(pod, container).length > 0);
  }

  hintsOf(pod: AssignedPod, container: Container): ResourceHints {
    const { uid } = pod.metadata;
    return this.#hints(this.#asked(pod, container), (resource) => {
      const held = this.#grants.get(uid, container.name, resource);
      return { held: held && idsOf(held), reusable: this.#reusableOf(pod, resource) };
    });
  }

  podHintsOf(pod: AssignedPod): ResourceHints {
    const limits = sumOfContainers<Container>(pod.spec, (each) => amountsOf(unclaimedLimits(pod, each)));
    const asked = this.#wanted([...limits].map(([resource, amount]) => [resource, amount.toNumber()]));
    const { uid } = pod.metadata;
    return this.#hints(asked, (resource) => {
      const held = containersWithResources(pod).flatMap(({ name }) => {
        const grant = this.#grants.get(uid, name, resource);
        return grant ? [...idsOf(grant)] : [];
      });
      return { held: held.length > 0 ? new Set(held) : undefined, reusable: new Set() };
    });
  }

  #hints(
    asked: readonly Asked[],
    known: (resource: string) => { held: ReadonlySet<string> | undefined; reusable: ReadonlySet<string> },
  ): ResourceHints {
    const { nodes } = this.#options;
    return new Map(
      asked.map(({ resource, required }) => {
        const devices = this.#inventory.devicesOf(resource);
        const { held, reusable } = known(resource);
        const taken = this.#grants.taken(resource);
        const free = this.#inventory.healthy(resource).filter((id) => !taken.has(id));
        const among = held ? { available: held, reusable: new Set<string>() } : { available: free, reusable };
        const count = held?.size ?? new Set(free).union(reusable).size;
        const hints = deviceHints({ nodes, devices, ...among, asked: required });
        const isEnough = held ? count === required : count >= required;
        return [resource, hints && !isEnough ? [] : hints] as const;
      }),
    );
  }

  /** Gives a container its devices, as it is its turn. Throws why it can't have them. */
  async allocate(
    pod: AssignedPod,
    container: Container,
    from: Hint,
    request: AllocationRequest,
  ): Promise<void> {
    const { uid } = pod.metadata;
    let isNew = false;
    for (const asked of this.#asked(pod, container)) {
      const entry = await this.#grant({ pod, container, asked, from, request });
      if (entry) this.#grants.set(entry);
      isNew ||= entry !== undefined;
    }
    this.#noteReusable(pod, container, this.#grants.of(uid, container.name));
    if (isNew) this.#write();
  }

  /** Takes back what pods have that are not kept. */
  keep(isKept: (uid: string) => boolean): void {
    if (this.#grants.keep(isKept)) this.#save();
  }

  #reusableOf({ metadata }: AssignedPod, resource: string): ReadonlySet<string> {
    const { uid, ids } = this.#reusable;
    return (uid === metadata.uid ? ids.get(resource) : undefined) ?? new Set();
  }

  /** What init containers have is given once more to what starts after they have ended. */
  #noteReusable(pod: AssignedPod, container: Container, grants: readonly GrantEntry[]): void {
    const { metadata, spec } = pod;
    if (this.#reusable.uid !== metadata.uid) this.#reusable = { uid: metadata.uid, ids: new Map() };
    const ends = spec.initContainers?.includes(container) && !isSidecar(container);
    for (const { resource, grant } of grants) {
      const before = this.#reusable.ids.get(resource) ?? new Set();
      const ids = idsOf(grant);
      this.#reusable.ids.set(resource, ends ? before.union(ids) : before.difference(ids));
    }
  }

  async #grant(need: {
    pod: AssignedPod;
    container: Container;
    asked: Asked;
    from: Hint;
    request: AllocationRequest;
  }): Promise<GrantEntry | undefined> {
    const { pod, container, asked, from, request } = need;
    const { resource, required } = asked;
    const { uid } = pod.metadata;
    const held = this.#grants.get(uid, container.name, resource);
    if (request.isStarting && request.isRunning(container.name)) return undefined;
    const choices = chooseDevices({
      ...{ resource, required },
      held: held && idsOf(held),
      reusable: this.#reusableOf(pod, resource),
      isKnown: this.#inventory.has(resource),
      healthy: this.#inventory.healthy(resource),
      taken: this.#grants.taken(resource),
    });
    if (!choices) return undefined;
    const speaker = this.#inventory.speaker(resource);
    if (!speaker) throw new Error(`endpoint of ${resource} has been stopped`);
    const { clock, durations } = this.#options;
    const beganMs = clock.monotonicMs();
    const ids = await this.#chosen(asked, choices, from);
    const response = await speaker.plugIn.allocate(ids, this.#abort.signal);
    durations.observe((clock.monotonicMs() - beganMs) / 1_000, { resource_name: resource });
    const idsByNode = this.#byNode(resource, ids);
    return { uid, container: container.name, resource, grant: { idsByNode, response } };
  }

  /** What is near goes first, and among that, or else among all, what the plug-in prefers. */
  async #chosen(
    { resource, required }: Asked,
    { certain, available, missing }: DeviceChoices,
    { nodes: mask }: Hint,
  ): Promise<string[]> {
    if (missing === 0) return certain;
    const devices = this.#inventory.devicesOf(resource);
    const { nodes } = this.#options;
    const { near, far, placeless } = byNearness(available, { devices, nodes, mask });
    const isChoiceNear = missing < near.length;
    const must = isChoiceNear ? certain : [...certain, ...near];
    if (must.length >= required) return must.slice(0, required);
    const choice = isChoiceNear ? near : available;
    const preferred = await this.#preferred(resource, { choice, must, required });
    const wanted = new Set([...preferred, ...(isChoiceNear ? near : [...far, ...placeless])]);
    return [...must, ...wanted.difference(new Set(must))].slice(0, required);
  }

  /** What the plug-in would rather give, of that which can be chosen; nothing where it has no preference. */
  async #preferred(
    resource: string,
    { choice, must, required }: { choice: readonly string[]; must: readonly string[]; required: number },
  ): Promise<string[]> {
    const { plugIn, options } = this.#inventory.speaker(resource) ?? {};
    if (!plugIn || !options?.getPreferredAllocationAvailable) return [];
    const all = [...new Set([...choice, ...must])];
    const asked = { available: all, mustInclude: must, size: required };
    const free = new Set(choice);
    return (await plugIn.preferred(asked, this.#abort.signal)).filter((id) => free.has(id));
  }

  #byNode(resource: string, ids: readonly string[]): Map<number, string[]> {
    const byNode = new Map<number, string[]>();
    for (const id of ids) {
      const nodes = this.#inventory.device(resource, id)?.nodes ?? [];
      for (const node of nodes.length > 0 ? nodes : [noNode]) {
        const there = byNode.get(node);
        if (there) there.push(id);
        else byNode.set(node, [id]);
      }
    }
    return byNode;
  }

  /** What a container is to be made with; its plug-ins are told that it starts. Throws when it can't have its devices. */
  async settingsOf(pod: AssignedPod, container: Container, signal: AbortSignal): Promise<DeviceSettings> {
    const { uid } = pod.metadata;
    const asked = this.#asked(pod, container);
    if (asked.some(({ resource }) => !this.#grants.get(uid, container.name, resource)))
      await this.#options.turns.take(() => this.allocate(pod, container, anywhere, atStart));
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

  #asked(pod: AssignedPod, container: Container): Asked[] {
    const limits = Object.entries(unclaimedLimits(pod, container));
    return this.#wanted(limits.map(([resource, amount]) => [resource, amountOf(amount)]));
  }

  #wanted(limits: readonly (readonly [resource: string, amount: number])[]): Asked[] {
    return limits
      .filter(([resource]) => this.brings(resource))
      .map(([resource, amount]) => ({ resource, required: Math.ceil(amount) }))
      .filter(({ required }) => required > 0);
  }

  #save(): void {
    try {
      this.#write();
    } catch (error) {
      this.#options.logger.warn('what devices there are can not be noted; a restart will not know it', {
        error,
      });
    }
  }

  /** Throws where the disk does not take it: a container whose devices no restart would know gets none. */
  #write(): void {
    const registered = new Map(
      this.#inventory.resources.map((name) => [name, this.#inventory.healthy(name)]),
    );
    try {
      writeDeviceCheckpoint(this.#checkpoint, { grants: [...this.#grants.entries], registered });
    } catch (error) {
      throw new Error(
        `failed to write checkpoint file "${basename(this.#checkpoint)}": ${(error as Error).message}`,
        {
          cause: error,
        },
      );
    }
  }
}

/** What no claim of the pod's gives the container. */
function unclaimedLimits(pod: AssignedPod, container: Container): Record<string, string> {
  const limits = Object.entries(container.resources?.limits ?? {});
  return Object.fromEntries(limits.filter(([resource]) => !isClaimed(pod, container, resource)));
}

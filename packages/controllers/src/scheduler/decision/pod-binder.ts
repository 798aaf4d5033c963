import type { Node } from '@wherry/kubeapi/objects';
import type { AttemptResult } from '../../figures/scheduler-figures.ts';
import { limits } from '../../limits.ts';
import type { NodeRoom } from '../cluster/node-room.ts';
import type { PodInfo } from '../cluster/pod-info.ts';
import type { BoundDevices } from '../devices/device-binder.ts';
import { DeviceWaits, type EndedWait } from '../devices/readiness/device-waits.ts';
import { volumeBinding } from '../filters/storage/volume-binding.ts';
import { PodStorage } from '../pod-storage.ts';
import { FailedStep, step } from './failed-step.ts';
import type { SchedulerParts } from './parts.ts';
import { prepareStorage } from './storage-writes.ts';

const volumeStep = 'PreBind plugin "VolumeBinding"';

/** Brings a pod to the node that was found for it, with its volumes and devices. */
export class PodBinder {
  readonly #parts: SchedulerParts;

  constructor(parts: SchedulerParts) {
    this.#parts = parts;
  }

  /** Undefined: its volumes or devices are waited for first. Throws FailedStep, or what extenders say. */
  async bindTo(
    info: PodInfo,
    { name, node }: NodeRoom,
    signal: AbortSignal,
  ): Promise<AttemptResult | undefined> {
    const { volumeBindingMs, deviceBindingMs = limits.deviceBindingMs } = this.#parts.profileOf(info);
    const isStored = info.claims.length > 0 && volumeBindingMs !== undefined;
    const storage = isStored ? new PodStorage(info.pod, this.#parts.cluster.objects) : undefined;
    if (node && storage && !storage.isBound) return this.#awaitVolumes(info, { name, node, storage }, signal);
    const plan = node && this.#parts.devicesOf(info)?.plan(node);
    this.#parts.watch.assume(info, name);
    const giving = plan && this.#parts.binder.give(info.pod, plan, signal);
    const bound = giving && (await step('PreBind plugin "DynamicResources"', giving));
    if (!bound || !DeviceWaits.isNeeded(bound)) return this.#bind(info, name, { bound, signal });
    this.#parts.writes.tellWaiting(info, name);
    const nowMs = this.#parts.nowMs();
    const wait = { info, nodeName: name, bound, bindingMs: deviceBindingMs };
    this.#parts.waits.add(wait, { nowMs, wallMs: this.#parts.clock.nowMs() });
    return undefined;
  }

  /** The room stays the pod's; its claims tell when they are bound. */
  async #awaitVolumes(
    info: PodInfo,
    { name, node, storage }: { name: string; node: Node; storage: PodStorage },
    signal: AbortSignal,
  ): Promise<undefined> {
    const { client, cluster, queue } = this.#parts;
    const patienceMs = this.#parts.profileOf(info).volumeBindingMs ?? 0;
    cluster.nominate(info, name);
    const delayMs = Math.min(limits.storageRecheckMs, patienceMs);
    const waitedMs = queue.await(info.uid, { refusedBy: volumeBinding.name, delayMs });
    const writes = prepareStorage(client, { node, plan: storage.planFor(node), signal });
    await this.#parts.timed('PreBind', info, step(volumeStep, writes));
    if (waitedMs < patienceMs) return undefined;
    cluster.forgetNomination(info.uid);
    throw new FailedStep(volumeStep, new Error('binding volumes: context deadline exceeded'));
  }

  async #bind(
    info: PodInfo,
    nodeName: string,
    { bound, signal }: { bound: BoundDevices | undefined; signal: AbortSignal },
  ): Promise<'scheduled'> {
    try {
      const { extenders, writes } = this.#parts;
      const bindElsewhere = extenders.isEmpty ? undefined : () => extenders.bind(info.pod, nodeName, signal);
      await this.#parts.timed('Bind', info, writes.bind(info, nodeName, { bindElsewhere, signal }));
      return 'scheduled';
    } catch (error) {
      if (bound) await this.#parts.binder.takeBack(info.pod, bound);
      throw error;
    }
  }

  /** Of a pod whose devices are ready, or never will be: then it is told, and this throws. */
  async goOn({ info, nodeName, bound, failure }: EndedWait, signal: AbortSignal): Promise<'scheduled'> {
    if (failure === undefined) return this.#bind(info, nodeName, { bound, signal });
    const { binder, writes } = this.#parts;
    await binder.takeBack(info.pod, bound);
    await writes.tellRefused(info, { message: failure, reason: 'SchedulerError' }, signal);
    throw new Error(failure);
  }
}

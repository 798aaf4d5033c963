import type { PodInfo } from '../cluster/pod-info.ts';
import { deallocate } from '../devices/device-writes.ts';
import { discardExtendedClaim } from '../devices/extended/extended-writes.ts';
import { ExtenderError } from '../extenders/extender-error.ts';
import type { NoPlace } from '../place.ts';
import { type CandidatesEnough, findPreemption, findPreemptionWith } from '../preemption/find-preemption.ts';
import type { Candidate } from '../preemption/select-victims.ts';
import type { SchedulerParts } from './parts.ts';

/** Tells a pod why there is no node for it, and makes room on one where others are worth less. */
export class PodRefuser {
  readonly #parts: SchedulerParts;

  constructor(parts: SchedulerParts) {
    this.#parts = parts;
  }

  async refuse(info: PodInfo, failed: NoPlace, signal: AbortSignal): Promise<void> {
    this.#parts.queue.park(info.uid, failed.run.refusedBy);
    const { message } = failed;
    if (this.#parts.cluster.nodes.length === 0)
      return this.#parts.writes.tellRefused(info, { message }, signal);
    const { preemption } = this.#parts.profileOf(info);
    const found =
      preemption &&
      (this.#parts.extenders.isEmpty
        ? findPreemption(failed, this.#parts.cluster, preemption)
        : await this.#findPreemption(failed, preemption, signal));
    if (found) this.#parts.figures?.preempts('room' in found ? found.victims.length : 0);
    if (found && 'room' in found)
      return this.#parts.timed('PostFilter', info, this.#preempt(info, { found, message }, signal));
    if (found?.keepsNomination !== true) this.#parts.cluster.forgetNomination(info.uid);
    const said = [await this.#freeMisplaced(failed, signal), found?.message].filter(
      (each) => each !== undefined,
    );
    const told = { message: said.length > 0 ? `${message} ${said.join(', ')}` : message };
    const outcome = found?.keepsNomination ? told : { ...told, nominatedNodeName: '' };
    await this.#parts.writes.tellRefused(info, outcome, signal);
  }

  #findPreemption(failed: NoPlace, wanted: CandidatesEnough, signal: AbortSignal) {
    const { pod } = failed.run.info;
    const ask = (candidates: readonly Candidate[]) =>
      this.#parts.extenders.preempt(pod, candidates, signal).catch((error: unknown) => {
        if (error instanceof ExtenderError) return error.message;
        throw error;
      });
    return findPreemptionWith(ask, failed, { cluster: this.#parts.cluster, wanted });
  }

  /** Takes devices back that are where the pod can't be; what there is to say of it. */
  async #freeMisplaced({ run }: NoPlace, signal: AbortSignal): Promise<string | undefined> {
    const { info, nowhere } = run;
    if (this.#parts.profileOf(info).deviceBindingMs === undefined) return undefined;
    const devices = this.#parts.devicesOf(info);
    if (devices ? devices.message !== undefined : nowhere === undefined) return 'no new claims to deallocate';
    if (!devices) return undefined;
    const nodes = this.#parts.cluster.nodes.flatMap(({ node }) => node ?? []);
    const { client } = this.#parts;
    const claim = devices.misplaced(nodes);
    if (claim) {
      await deallocate(client, claim, signal);
      return 'deallocation of ResourceClaim completed';
    }
    if (!devices.leftover) return 'still not schedulable';
    await discardExtendedClaim(client, info.pod, devices.leftover);
    return 'deletion of ResourceClaim completed';
  }

  async #preempt(
    preemptor: PodInfo,
    { found: { room, victims }, message }: { found: Candidate; message: string },
    signal: AbortSignal,
  ): Promise<void> {
    const nodeName = room.name;
    // They may find another place sooner than room here.
    const outdone = this.#parts.cluster
      .nominatedTo(nodeName)
      .filter(({ priority }) => priority < preemptor.priority);
    for (const other of outdone) {
      this.#parts.cluster.forgetNomination(other.uid);
      if (this.#parts.queue.get(other.uid)) this.#parts.queue.add(other);
    }
    this.#parts.cluster.nominate(preemptor, nodeName);
    await Promise.all([
      ...outdone.map((other) => this.#parts.writes.clearNomination(other, signal)),
      ...victims.map((victim) => this.#parts.writes.preempt(victim, { preemptor, nodeName }, signal)),
      this.#parts.writes.tellRefused(preemptor, { message, nominatedNodeName: nodeName }, signal),
    ]);
  }
}

import type { ResourceV1ResourceClaim } from '@wherry/kubeapi/objects';
import type { DeviceLedger } from '../../cluster/device-ledger.ts';
import type { PodInfo } from '../../cluster/pod-info.ts';
import type { BoundDevices } from '../device-binder.ts';
import { hasBindingConditions, readinessOf } from './binding-conditions.ts';

/** A pod with a node whose devices are being made ready. */
export interface DeviceWait {
  info: PodInfo;
  nodeName: string;
  bound: BoundDevices;
  /** How long they may take, in milliseconds. */
  bindingMs: number;
}

/** A wait that is over. */
export interface EndedWait extends DeviceWait {
  /** Why the pod can't have these devices. */
  failure?: string;
}

/** What is known, and when: `nowMs` is a clock's that only goes on. */
export interface WaitView {
  ledger: DeviceLedger;
  claims: ReadonlyMap<string, ResourceV1ResourceClaim>;
  nowMs: number;
}

/** Pods that wait for devices, each as long as the oldest of its claims may take. Knows no clock. */
export class DeviceWaits {
  readonly #all = new Map<string, DeviceWait & { dueMs: number }>();

  get size(): number {
    return this.#all.size;
  }

  /** Whether there is something to wait for. */
  static isNeeded({ claims }: BoundDevices): boolean {
    return claims.some(hasBindingConditions);
  }

  /** `nowMs` as in {@link WaitView}, `wallMs` since 1970. */
  add(wait: DeviceWait, { nowMs, wallMs }: { nowMs: number; wallMs: number }): void {
    const since = wait.bound.claims.filter(hasBindingConditions).map((claim) => givenMs(claim) ?? wallMs);
    const { bindingMs } = wait;
    const leftMs = Math.min(...since.map((atMs) => atMs + bindingMs - wallMs));
    const dueMs = nowMs + Math.min(Math.max(0, leftMs), bindingMs);
    this.#all.set(wait.info.uid, { ...wait, dueMs });
  }

  delete(uid: string): void {
    this.#all.delete(uid);
  }

  /** When the next wait ends by time alone. */
  get nextDueMs(): number | undefined {
    let least: number | undefined;
    for (const { dueMs } of this.#all.values()) least = Math.min(least ?? dueMs, dueMs);
    return least;
  }

  /** Waits that are over; each is answered once. */
  *take(view: WaitView): Iterable<EndedWait> {
    for (const [uid, { dueMs, ...wait }] of this.#all) {
      const outcome = outcomeOf(wait, view, dueMs <= view.nowMs);
      if (!outcome) continue;
      this.#all.delete(uid);
      yield { ...wait, ...outcome };
    }
  }
}

/** Undefined where the wait goes on. */
function outcomeOf(
  { bound }: DeviceWait,
  { ledger, claims }: WaitView,
  isLate: boolean,
): { failure?: string } | undefined {
  let isReady = true;
  for (const written of bound.claims) {
    const { namespace, name, uid } = written.metadata;
    const claim = ledger.find(written, claims.get(`${namespace}/${name}`));
    if (!claim || claim.metadata.uid !== uid)
      return { failure: `claim ${namespace}/${name} got deleted in the meantime` };
    if (!claim.status?.allocation)
      return { failure: `claim ${namespace}/${name} got deallocated elsewhere in the meantime` };
    const readiness = readinessOf(claim);
    if (readiness.failure !== undefined) return { failure: readiness.failure };
    if (readiness.isReady) continue;
    isReady = false;
    if (!isLate) continue;
    ledger.expire(claim);
    return { failure: `device binding timeout: claim=${name}` };
  }
  return isReady ? {} : undefined;
}

function givenMs({ status }: ResourceV1ResourceClaim): number | undefined {
  return Date.parse(status?.allocation?.allocationTimestamp ?? '') || undefined;
}

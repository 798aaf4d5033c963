import { limits } from '../limits.ts';
import type { PodInfo } from './cluster/pod-info.ts';
import { extenderName } from './extenders/extenders.ts';
import type { ClusterChange, FilterPlugin } from './filters/filter-plugin.ts';
import { filters } from './filters/filters.ts';

/** First and longest wait of a pod that was refused, in milliseconds. */
export interface BackoffMs {
  initialMs: number;
  maxMs: number;
}

interface Waiting {
  info: PodInfo;
  /** Refusals and failures so far. */
  attempts: number;
  /** When it was looked at last. */
  lookedAtMs: number;
  /** The filters that refused it; none where any change may help. */
  refusedBy?: ReadonlySet<string>;
  /** Since when something is under way for it, and for whose sake it was put aside. */
  begun?: { refusedBy: string; atMs: number };
}

/**
 * Pods that wait for a node: those whose turn it is, by priority and then by time; those that wait for their turn since
 * they were looked at a moment ago; and those for which nothing has changed since. Knows no clock.
 */
export class SchedulingQueue {
  readonly #came: (queue: 'active' | 'backoff' | 'unschedulable', event: string) => void;
  readonly #all = new Map<string, Waiting>();
  /** By priority; the sets keep the order of time. */
  readonly #active = new Map<number, Set<string>>();
  readonly #due = new Map<string, number>();
  readonly #parked = new Set<string>();
  readonly #backoffMs: BackoffMs;

  /** `came` hears of each pod that comes to one of the queues, in upstream's words. */
  constructor(
    backoffMs: BackoffMs = limits.schedulingBackoffMs,
    came: (queue: 'active' | 'backoff' | 'unschedulable', event: string) => void = () => {},
  ) {
    this.#backoffMs = backoffMs;
    this.#came = came;
  }

  /** How many pods wait for their turn, for time to pass, and for something to change. */
  get counts(): { active: number; backoff: number; unschedulable: number } {
    let active = 0;
    for (const turns of this.#active.values()) active += turns.size;
    const unschedulable = this.#parked.size;
    return { active, backoff: this.#all.size - active - unschedulable, unschedulable };
  }

  /** How often each filter has refused a pod that waits for a change, with that pod. */
  *refusals(): Iterable<{ info: PodInfo; plugin: string }> {
    for (const uid of this.#parked) {
      const { info, refusedBy = none } = this.#all.get(uid)!;
      for (const plugin of refusedBy) yield { info, plugin };
    }
  }

  /** Pods that wait, whatever for. */
  get size(): number {
    return this.#all.size;
  }

  /** Takes a pod in, or what it has become: it is looked at again. */
  add(info: PodInfo): void {
    const { attempts = 0, begun } = this.#all.get(info.uid) ?? {};
    this.remove(info.uid);
    this.#all.set(info.uid, { info, attempts, lookedAtMs: 0, ...(begun && { begun }) });
    this.#activate(info.uid);
    this.#came('active', 'UnscheduledPodAdd');
  }

  /** The pod as it was taken in last. */
  get(uid: string): PodInfo | undefined {
    return this.#all.get(uid)?.info;
  }

  /** Whether the pod was neither refused nor put aside before. */
  isFirstLook(uid: string): boolean {
    const { attempts = 0, begun } = this.#all.get(uid) ?? {};
    return attempts === 0 && !begun;
  }

  /** Takes note of what has changed of a pod that makes no difference. */
  renew(info: PodInfo): void {
    const waiting = this.#all.get(info.uid);
    if (waiting) waiting.info = info;
  }

  remove(uid: string): void {
    this.#leave(uid);
    this.#all.delete(uid);
  }

  /** The pod whose turn it is: it stays known until it is removed. */
  pop(nowMs: number): PodInfo | undefined {
    for (const [uid, dueMs] of this.#due) {
      if (dueMs > nowMs) continue;
      this.#came('active', this.#parked.has(uid) ? 'UnschedulableTimeout' : 'BackoffComplete');
      this.#activate(uid);
    }
    const priority = Math.max(...this.#active.keys());
    const uid = this.#active.get(priority)?.values().next().value;
    if (uid === undefined) return undefined;
    this.#leave(uid);
    const waiting = this.#all.get(uid)!;
    waiting.lookedAtMs = nowMs;
    return waiting.info;
  }

  /** Puts a pod aside that was refused until something changes that helps one of those filters. */
  park(uid: string, refusedBy: ReadonlySet<string>): void {
    const waiting = this.#all.get(uid);
    if (!waiting) return;
    this.#leave(uid);
    this.#all.set(uid, { ...waiting, attempts: waiting.attempts + 1, refusedBy });
    this.#parked.add(uid);
    this.#came('unschedulable', 'ScheduleAttemptFailure');
    this.#due.set(uid, waiting.lookedAtMs + limits.unschedulableMs);
  }

  /**
   * Puts a pod aside for which something was begun: any change of what it waits for, or time, brings it back at once. Answers how
   * long it has waited for that, in milliseconds.
   */
  await(uid: string, { refusedBy, delayMs }: { refusedBy: string; delayMs: number }): number {
    const waiting = this.#all.get(uid);
    if (!waiting) return 0;
    this.#leave(uid);
    const { lookedAtMs } = waiting;
    const begun = waiting.begun?.refusedBy === refusedBy ? waiting.begun : { refusedBy, atMs: lookedAtMs };
    this.#all.set(uid, { ...waiting, attempts: 0, refusedBy: new Set([refusedBy]), begun });
    this.#parked.add(uid);
    this.#due.set(uid, lookedAtMs + delayMs);
    return lookedAtMs - begun.atMs;
  }

  /** Takes in a pod for which something failed: it is looked at again after a while. */
  retry(info: PodInfo, nowMs: number): void {
    const attempts = (this.#all.get(info.uid)?.attempts ?? 0) + 1;
    this.remove(info.uid);
    const waiting = { info, attempts, lookedAtMs: nowMs };
    this.#all.set(info.uid, waiting);
    this.#came('backoff', 'ScheduleAttemptFailure');
    this.#due.set(info.uid, this.#backoffEndMs(waiting));
  }

  /**
   * Brings pods back that the change may help, those that were looked at a moment ago in a while: then
   * {@link nextDueMs} is another, and the answer is true.
   */
  wake(change: ClusterChange, nowMs: number): boolean {
    const helped = helpedBy(change);
    let isSooner = false;
    for (const uid of this.#parked) {
      const waiting = this.#all.get(uid)!;
      const { refusedBy = none } = waiting;
      if (refusedBy.size > 0 && refusedBy.isDisjointFrom(helped)) continue;
      const dueMs = this.#backoffEndMs(waiting);
      this.#came(dueMs <= nowMs ? 'active' : 'backoff', eventOf[change]);
      if (dueMs <= nowMs) this.#activate(uid);
      else {
        this.#parked.delete(uid);
        this.#due.set(uid, dueMs);
        isSooner = true;
      }
    }
    return isSooner;
  }

  /** Whether it is somebody's turn. */
  get isReady(): boolean {
    return this.#active.size > 0;
  }

  /** When the next pod's turn comes by time alone. */
  get nextDueMs(): number | undefined {
    let least: number | undefined;
    for (const dueMs of this.#due.values()) least = Math.min(least ?? dueMs, dueMs);
    return least;
  }

  #backoffEndMs({ attempts, lookedAtMs }: Waiting): number {
    const { initialMs, maxMs } = this.#backoffMs;
    return attempts === 0 ? 0 : lookedAtMs + Math.min(maxMs, initialMs * 2 ** (attempts - 1));
  }

  #activate(uid: string): void {
    const waiting = this.#all.get(uid);
    this.#leave(uid);
    if (!waiting) return;
    const { priority } = waiting.info;
    const turns = this.#active.get(priority) ?? new Set<string>();
    this.#active.set(priority, turns.add(uid));
  }

  #leave(uid: string): void {
    this.#due.delete(uid);
    this.#parked.delete(uid);
    const priority = this.#all.get(uid)?.info.priority ?? 0;
    const turns = this.#active.get(priority);
    if (turns?.delete(uid) && turns.size === 0) this.#active.delete(priority);
  }
}

/** As upstream calls what brings a pod back. */
const eventOf: Readonly<Record<ClusterChange, string>> = {
  node: 'NodeUpdate',
  'pod-placed': 'AssignedPodAdd',
  'pod-changed': 'AssignedPodUpdate',
  'pod-gone': 'AssignedPodDelete',
  storage: 'PersistentVolumeClaimUpdate',
  device: 'ResourceClaimUpdate',
  'device-class': 'DeviceClassUpdate',
  namespace: 'NamespaceUpdate',
};
const none: ReadonlySet<string> = new Set();

function helpedBy(change: ClusterChange): Set<string> {
  const helps = ({ helpedBy: changes }: FilterPlugin) => changes.includes(change);
  // What extenders look at nobody knows.
  return new Set([extenderName, ...filters.filter(helps).map(({ name }) => name)]);
}

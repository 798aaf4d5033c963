import type { Clock } from '@wherry/clock';
import { isTerminalPhase } from '@wherry/podrules';
import type { Allocations } from '../../board/allocations.ts';
import type { PodStore } from '../../board/pod-store.ts';
import type { ResourceManagers } from '../../execution/managers/resource-managers.ts';
import { emptyPodRecord } from '../../observation/pod-record.ts';
import { allocationOf } from '../../pod/allocation.ts';
import { type AssignedPod, isCriticalPod } from '../../pod/assigned-pod.ts';
import { type EventRecorder, podEvents } from '../../reporting/events/recorder.ts';
import type { PodVerdict } from '../../reporting/status/pod-status.ts';
import { podStatus } from '../../reporting/status/pod-status.ts';
import type { StatusManager } from '../../reporting/status/status-manager.ts';
import { describeUnmet } from '../preemption/choose-victims.ts';
import type { Preemptor } from '../preemption/preemptor.ts';
import {
  type AdmissionFacts,
  fieldWarnings,
  onlyShortages,
  refusalOf,
  restsOnNodeObject,
  verdictOf,
} from './admit-pod.ts';

/** What pods are admitted with. */
export interface AdmissionOptions {
  store: PodStore;
  statuses: Pick<StatusManager, 'set'>;
  clock: Clock;
  recorder: EventRecorder;
  hostIps(): readonly string[];
  allowedUnsafeSysctls: readonly string[];
  host: AdmissionFacts['host'];
  /** What the node is short of. */
  pressures(): AdmissionFacts['pressures'];
  /** The machine is about to shut down. */
  isShuttingDown(): boolean;
  allocatable(): Readonly<Record<string, string>>;
  node(): AdmissionFacts['node'];
  allocations: Allocations;
  /** Whether the pod runs or is about to. */
  isRunning(uid: string): boolean;
  preemptor: Preemptor;
  managers: Pick<ResourceManagers, 'brings'>;
  /** Hears why a pod was refused. */
  onRejected(reason: string): void;
}

/** Which pods this node takes. Each is judged once; one that is refused is told so in its status. */
export class Admission {
  readonly #options: AdmissionOptions;
  readonly #admitted = new Set<string>();
  readonly #rejected = new Set<string>();

  constructor(options: AdmissionOptions) {
    this.#options = options;
  }

  isRejected(uid: string): boolean {
    return this.#rejected.has(uid);
  }

  forget(uid: string): void {
    this.#admitted.delete(uid);
    this.#rejected.delete(uid);
  }

  /** Whether the pod would be refused for the node's object alone, so that it is worth reading that anew. */
  restsOnNodeObject(pod: AssignedPod): boolean {
    if (this.needsNoVerdict(pod)) return false;
    return restsOnNodeObject(this.#factsOf(this.#options.allocations.given(pod)));
  }

  /** Whether the pod was judged before, or does not run any more. */
  needsNoVerdict({ metadata, status }: AssignedPod): boolean {
    return this.#admitted.has(metadata.uid) || !!metadata.deletionTimestamp || isTerminalPhase(status?.phase);
  }

  /** False for a pod that may not run here. */
  admit(pod: AssignedPod): boolean {
    const { uid } = pod.metadata;
    if (this.needsNoVerdict(pod)) return true;
    const { host, allocations, recorder } = this.#options;
    // One that this node has taken before is judged by what it was given then.
    const given = allocations.given(pod);
    const verdict = this.#afterPreemption(given, this.refusalOf(given));
    if (!verdict) {
      this.#admitted.add(uid);
      allocations.set(uid, allocationOf(given));
      for (const { reason, message } of fieldWarnings(pod, host))
        podEvents(recorder, pod).warn(reason, message);
      return true;
    }
    this.reject(pod, verdict);
    return false;
  }

  /** The pod may not run here after all. */
  reject(pod: AssignedPod, verdict: PodVerdict): void {
    const { statuses, recorder, clock, hostIps } = this.#options;
    const { uid } = pod.metadata;
    this.#admitted.delete(uid);
    this.#rejected.add(uid);
    this.#options.onRejected(verdict.reason);
    podEvents(recorder, pod).warn(verdict.reason, verdict.message.replace('Pod was rejected: ', ''));
    const status = podStatus({
      pod,
      record: emptyPodRecord(uid, clock),
      previous: pod.status,
      runtimeName: '',
      hostIps: hostIps(),
      nowMs: clock.nowMs(),
      isTerminating: true,
      verdict,
      waitingReason: () => undefined,
      isStarted: () => false,
      isReady: () => false,
    });
    const { phase, reason, message, startTime, qosClass, observedGeneration } = status;
    statuses.set(pod, { phase, reason, message, startTime, qosClass, observedGeneration });
  }

  /** A critical pod that only lacks resources gets those of others. */
  #afterPreemption(pod: AssignedPod, refusal: PodVerdict | undefined): PodVerdict | undefined {
    if (!refusal || !isCriticalPod(pod)) return refusal;
    const facts = this.#factsOf(pod);
    const shortages = onlyShortages(facts);
    if (!shortages) return refusal;
    const { isRunning, preemptor } = this.#options;
    const running = facts.others.filter(({ metadata }) => isRunning(metadata.uid));
    if (preemptor.makeRoom(pod, running, shortages)) return undefined;
    const text =
      'Unexpected error while attempting to recover from admission failure: preemption: error finding a set of pods ' +
      `to preempt: no set of running pods found to reclaim resources: ${describeUnmet(pod, running, shortages)}`;
    return verdictOf('UnexpectedAdmissionError', text);
  }

  /** Whether a pod, as it is or is to be, has its place beside those that were taken, and why not. */
  refusalOf(pod: AssignedPod): PodVerdict | undefined {
    return refusalOf(this.#factsOf(pod));
  }

  #factsOf(pod: AssignedPod): AdmissionFacts {
    const { store, allocatable, node, allowedUnsafeSysctls, host, pressures, isShuttingDown } = this.#options;
    const { allocations, preemptor, managers } = this.#options;
    const others = [...store.pods]
      .filter(({ metadata: { uid } }) => this.#admitted.has(uid) && !preemptor.isLeaving(uid))
      .map((other) => allocations.given(other));
    return {
      pod,
      others,
      allocatable: allocatable(),
      node: node(),
      allowedUnsafeSysctls,
      host,
      pressures: pressures(),
      isOfPlugIns: (resource) => managers.brings(resource),
      isShuttingDown: isShuttingDown(),
    };
  }
}

import type { Container, ContainerStateTerminated, ContainerStatus, PodPhase } from '@wherry/kubeapi';
import { isSidecar, isTerminalPhase } from '@wherry/podrules';
import { type AssignedPod, isStaticPod } from '../../pod/assigned-pod.ts';
import { restartsAfter } from '../../pod/restart-policy.ts';
import { wholeRestart } from './whole-restart.ts';

/** What the phase is computed from. */
export interface PhaseFacts {
  pod: AssignedPod;
  initStatuses: readonly ContainerStatus[];
  statuses: readonly ContainerStatus[];
  /** A regular container was made in the sandbox that stands: sidecars that start again hold nothing back. */
  isBegun: boolean;
  /** The pod's containers are not to run any more: deleted, evicted, rejected. */
  isTerminating: boolean;
}

const find = (statuses: readonly ContainerStatus[], name: string) =>
  statuses.find((status) => status.name === name);

/**
 * Computes the phase by upstream's order of rules; Succeeded and Failed are final and handled by the caller. A pod that
 * stopped before its containers were begun with is Failed, unless a manifest brings it back.
 */
export function podPhase(facts: PhaseFacts): PodPhase {
  const phase = phaseOfContainers(facts);
  return phase === 'Pending' && facts.isTerminating && !isStaticPod(facts.pod) ? 'Failed' : phase;
}

function phaseOfContainers(facts: PhaseFacts): PodPhase {
  const init = countInit(facts);
  if (init.failedForGood) return 'Failed';
  const regular = countRegular(facts);
  const running = regular.running + init.runningSidecars;
  const unknown = regular.unknown + init.unknownSidecars;
  const waiting = regular.waiting + init.waitingSidecars;
  if (init.pending || (init.pendingSidecars && !facts.isBegun) || waiting > 0) return 'Pending';
  if (unknown > 0) return 'Pending';
  if (running > 0) return 'Running';
  return regular.stopped > 0 ? stoppedPhase(facts, regular) : 'Pending';
}

function stoppedPhase(facts: PhaseFacts, { stopped, succeeded, restartable }: RegularCounts): PodPhase {
  const ended = stopped === succeeded ? 'Succeeded' : 'Failed';
  if (facts.isTerminating && !isStaticPod(facts.pod)) return ended;
  return restartable > 0 ? 'Running' : ended;
}

/** How a container ended that does not run: it may wait to be started again. */
const endOf = (status: ContainerStatus | undefined) =>
  status?.state?.terminated ?? (status?.state?.waiting && status.lastState?.terminated);

/** Also where its rules do not say so: what was removed for the pod to begin anew is started again. */
function comesBack(pod: AssignedPod, container: Container, ended: ContainerStateTerminated): boolean {
  return ended.reason === wholeRestart.reason || restartsAfter(pod, container, ended.exitCode);
}

interface InitCounts {
  failedForGood: boolean;
  pending: boolean;
  pendingSidecars: boolean;
  runningSidecars: number;
  waitingSidecars: number;
  unknownSidecars: number;
}

function countInit({ pod, initStatuses }: PhaseFacts): InitCounts {
  const counts: InitCounts = {
    failedForGood: false,
    pending: false,
    pendingSidecars: false,
    runningSidecars: 0,
    waitingSidecars: 0,
    unknownSidecars: 0,
  };
  for (const container of pod.spec.initContainers ?? []) {
    const status = find(initStatuses, container.name);
    if (isSidecar(container)) {
      countSidecar(counts, status);
      continue;
    }
    const ended = endOf(status);
    if (!ended) counts.pending = true;
    else if (ended.exitCode !== 0 && !comesBack(pod, container, ended)) counts.failedForGood = true;
  }
  return counts;
}

function countSidecar(counts: InitCounts, status: ContainerStatus | undefined): void {
  if (status?.state?.running) {
    counts.runningSidecars += 1;
    if (!status.started) counts.pendingSidecars = true;
  } else if (status?.state?.waiting) {
    if (status.lastState?.terminated) return;
    counts.pendingSidecars = true;
    counts.waitingSidecars += 1;
  } else if (!status?.state?.terminated) {
    counts.pendingSidecars = true;
    counts.unknownSidecars += 1;
  }
}

interface RegularCounts {
  running: number;
  waiting: number;
  stopped: number;
  succeeded: number;
  unknown: number;
  restartable: number;
}

function countRegular({ pod, statuses }: PhaseFacts): RegularCounts {
  const counts = { running: 0, waiting: 0, stopped: 0, succeeded: 0, unknown: 0, restartable: 0 };
  for (const container of pod.spec.containers) {
    const status = find(statuses, container.name);
    const ended = endOf(status);
    if (status?.state?.running) counts.running += 1;
    else if (ended) {
      counts.stopped += 1;
      if (ended.exitCode === 0 && status?.state?.terminated) counts.succeeded += 1;
      if (comesBack(pod, container, ended)) counts.restartable += 1;
    } else if (status?.state?.waiting) counts.waiting += 1;
    else counts.unknown += 1;
  }
  return counts;
}

/** The phase to write: a final one never changes. */
export function settledPhase(previous: string | undefined, computed: PodPhase): PodPhase {
  return isTerminalPhase(previous) ? (previous as PodPhase) : computed;
}

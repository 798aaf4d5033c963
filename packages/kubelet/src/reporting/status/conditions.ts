import type { ContainerStatus, PodCondition } from '@wherry/kubeapi';
import { isSidecar, isTerminalPhase } from '@wherry/podrules';
import type { ResizeCondition } from '../../board/resize-states.ts';
import type { AssignedPod } from '../../pod/assigned-pod.ts';
import { type WholeRestart, wholeRestart } from './whole-restart.ts';

/** What the conditions are computed from. */
export interface ConditionFacts {
  pod: AssignedPod;
  phase: string;
  initStatuses: readonly ContainerStatus[];
  statuses: readonly ContainerStatus[];
  /** The sandbox stands and has its addresses. */
  isSandboxReady: boolean;
  /** The pod's conditions at the API server: readiness gates are read from them. */
  previous: readonly PodCondition[];
  /** Why the node ended the pod for its own sake, if it did. */
  disruption: string | undefined;
  resizes: readonly ResizeCondition[];
  /** The pod was initialized before: it stays so when its containers begin anew. */
  wasInitialized: boolean;
  /** Undefined for a pod to which that can't happen. */
  restart: WholeRestart | undefined;
}

type ReadinessFacts = Pick<ConditionFacts, 'pod' | 'phase' | 'initStatuses' | 'statuses' | 'previous'>;

/** A condition before its times are known. */
export type ConditionVerdict = Pick<PodCondition, 'type' | 'status'> & {
  reason?: string;
  message?: string;
  /** Where it is about another version of the pod than the newest. */
  observedGeneration?: number;
};

/** Condition types that the kubelet writes; all others are left as they are. */
export const ownedConditionTypes: ReadonlySet<string> = new Set([
  'PodReadyToStartContainers',
  'Initialized',
  'Ready',
  'ContainersReady',
  'PodScheduled',
  'PodResizePending',
  'PodResizeInProgress',
  wholeRestart.condition,
]);

const find = (statuses: readonly ContainerStatus[], name: string) =>
  statuses.find((status) => status.name === name);

/** Every condition of the pod that the kubelet owns. */
export function podConditions(facts: ConditionFacts): ConditionVerdict[] {
  return [
    { type: 'PodReadyToStartContainers', status: facts.isSandboxReady ? 'True' : 'False' },
    initializedCondition(facts),
    ...readinessConditions(facts),
    { type: 'PodScheduled', status: 'True' },
    ...facts.resizes,
    ...restartConditions(facts),
    ...disruptionConditions(facts),
  ];
}

/** Those that the readiness of its containers decides. */
export function readinessConditions(facts: ReadinessFacts): ConditionVerdict[] {
  const containersReady = containersReadyCondition(facts);
  return [readyCondition(facts, containersReady), containersReady];
}

/** Only once the phase is final; it is not taken back, as others may write it too. */
function disruptionConditions({ phase, disruption: message }: ConditionFacts): ConditionVerdict[] {
  if (message === undefined || !isTerminalPhase(phase)) return [];
  return [{ type: 'DisruptionTarget', status: 'True', reason: 'TerminationByKubelet', message }];
}

function restartConditions({ phase, restart }: ConditionFacts): ConditionVerdict[] {
  const type = wholeRestart.condition;
  if (restart === undefined) return [];
  if (phase === 'Succeeded') return [{ type, status: 'False', reason: 'PodCompleted' }];
  if (phase === 'Failed') return [{ type, status: 'False', reason: 'PodFailed' }];
  if (restart !== 'removing') return [{ type, status: 'False' }];
  const message = 'container exited with restart policy rule';
  return [{ type, status: 'True', reason: 'RestartAllContainersStarted', message }];
}

function initializedCondition(facts: ConditionFacts): ConditionVerdict {
  const { pod, phase, initStatuses, statuses, wasInitialized } = facts;
  const type = 'Initialized';
  const containers = pod.spec.initContainers ?? [];
  if (containers.length > 0 && initStatuses.length === 0) {
    return { type, status: 'False', reason: 'UnknownContainerStatuses' };
  }
  const unfinished = containers.filter((container) => {
    const status = find(initStatuses, container.name);
    return isSidecar(container) ? !status?.started : !status?.ready;
  });
  if (phase === 'Succeeded') return { type, status: 'True', reason: 'PodCompleted' };
  const hasStarted = statuses.some(
    ({ state, lastState }) => state?.running || state?.terminated || lastState?.terminated,
  );
  if (unfinished.length === 0 || hasStarted || wasInitialized) return { type, status: 'True' };
  const message = `containers with incomplete status: [${unfinished.map(({ name }) => name).join(' ')}]`;
  return { type, status: 'False', reason: 'ContainersNotInitialized', message };
}

function containersReadyCondition({ pod, phase, initStatuses, statuses }: ReadinessFacts): ConditionVerdict {
  const type = 'ContainersReady';
  if (phase === 'Succeeded') return { type, status: 'False', reason: 'PodCompleted' };
  if (phase === 'Failed') return { type, status: 'False', reason: 'PodFailed' };
  const counted = [
    ...(pod.spec.initContainers ?? [])
      .filter(isSidecar)
      .map(({ name }) => ({ name, status: find(initStatuses, name) })),
    ...pod.spec.containers.map(({ name }) => ({ name, status: find(statuses, name) })),
  ];
  const unknown = counted.filter(({ status }) => !status).map(({ name }) => name);
  const unready = counted.filter(({ status }) => status && !status.ready).map(({ name }) => name);
  const messages = [
    ...(unknown.length > 0 ? [`containers with unknown status: [${unknown.join(' ')}]`] : []),
    ...(unready.length > 0 ? [`containers with unready status: [${unready.join(' ')}]`] : []),
  ];
  if (messages.length === 0) return { type, status: 'True' };
  return { type, status: 'False', reason: 'ContainersNotReady', message: messages.join(', ') };
}

function readyCondition(facts: ReadinessFacts, containersReady: ConditionVerdict): ConditionVerdict {
  if (containersReady.status !== 'True') return { ...containersReady, type: 'Ready' };
  const problems = (facts.pod.spec.readinessGates ?? []).flatMap(({ conditionType }) => {
    const gate = facts.previous.find(({ type }) => type === conditionType);
    if (!gate) return [`corresponding condition of pod readiness gate "${conditionType}" does not exist.`];
    if (gate.status === 'True') return [];
    return [`the status of pod readiness gate "${conditionType}" is not "True", but ${gate.status}`];
  });
  if (problems.length === 0) return { type: 'Ready', status: 'True' };
  return { type: 'Ready', status: 'False', reason: 'ReadinessGatesNotReady', message: problems.join(', ') };
}

/** `verdicts` with their times: a condition whose status did not change keeps its transition time. */
export function stampConditions(
  verdicts: readonly ConditionVerdict[],
  previous: readonly PodCondition[],
  stamp: { now: string; generation: number | undefined },
): PodCondition[] {
  return verdicts.map((verdict) => {
    const before = previous.find(({ type }) => type === verdict.type);
    // A resize tells its state by the reason: its status is always the same.
    const unchanged =
      before?.status === verdict.status && (!isOfResize(verdict) || before.reason === verdict.reason);
    const lastTransitionTime = (unchanged && before.lastTransitionTime) || stamp.now;
    const observed = stamp.generation === undefined ? {} : { observedGeneration: stamp.generation };
    return { ...observed, ...verdict, lastTransitionTime };
  });
}

const isOfResize = ({ type }: ConditionVerdict) => type.startsWith('PodResize');

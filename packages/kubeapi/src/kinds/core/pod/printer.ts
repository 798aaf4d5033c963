/** The row of a pod: its state in one word, as `kubectl get pods` shows it. */
import type { Container, ContainerStatus, Pod } from '../../../generated/types.ts';
import { age } from '../../../table/human-duration.ts';
import { ageColumn, column, nameColumn, orNone, type Printer, wide } from '../../../table/printer.ts';

interface Summary {
  reason: string;
  restarts: number;
  lastRestart: string;
  ready: number;
}

/** Prints pods. */
export const podPrinter: Printer<Pod> = {
  columns: [
    ...[nameColumn, column('Ready'), column('Status'), column('Restarts'), ageColumn],
    ...[wide('IP'), wide('Node'), wide('Nominated Node'), wide('Readiness Gates')],
  ],
  cells(pod, nowMs) {
    const { reason, restarts, lastRestart, ready } = summarize(pod);
    const total = pod.spec.containers.length + (pod.spec.initContainers ?? []).filter(isSidecar).length;
    const restartText =
      restarts > 0 && lastRestart !== '' ? `${restarts} (${age(lastRestart, nowMs)} ago)` : `${restarts}`;
    return [
      ...[
        pod.metadata.name ?? '',
        `${ready}/${total}`,
        reason,
        restartText,
        age(pod.metadata.creationTimestamp, nowMs),
      ],
      orNone(pod.status?.podIPs?.[0]?.ip ?? pod.status?.podIP),
      orNone(pod.spec.nodeName),
      orNone(pod.status?.nominatedNodeName),
      readinessGates(pod),
    ];
  },
  conditions(pod) {
    const phase = pod.status?.phase;
    if (phase !== 'Succeeded' && phase !== 'Failed') return [];
    const message = phase === 'Failed' ? 'The pod failed.' : 'The pod has completed successfully.';
    return [{ type: 'Completed', status: 'True', reason: phase, message }];
  },
};

const isSidecar = (container: Container | undefined) => container?.restartPolicy === 'Always';

function summarize(pod: Pod): Summary {
  const { status = {} } = pod;
  const summary: Summary = {
    reason: status.reason || status.phase || '',
    restarts: 0,
    lastRestart: '',
    ready: 0,
  };
  const isGated = status.conditions?.some(
    ({ type, reason }) => type === 'PodScheduled' && reason === 'SchedulingGated',
  );
  if (isGated) summary.reason = 'SchedulingGated';
  const sidecars: Summary = { ...summary };
  const isInitializing = addInitContainers(pod, summary, sidecars);
  if (!isInitializing || hasCondition(pod, 'Initialized')) {
    summary.restarts = sidecars.restarts;
    summary.lastRestart = sidecars.lastRestart;
    addContainers(pod, summary);
  }
  const isOver = status.phase === 'Succeeded' || status.phase === 'Failed';
  if (pod.metadata.deletionTimestamp && status.reason === 'NodeLost') summary.reason = 'Unknown';
  else if (pod.metadata.deletionTimestamp && !isOver) summary.reason = 'Terminating';
  return summary;
}

/** Adds init containers up to the first that is not done; true when there is one. */
function addInitContainers(pod: Pod, summary: Summary, sidecars: Summary): boolean {
  const specs = pod.spec.initContainers ?? [];
  for (const [index, status] of (pod.status?.initContainerStatuses ?? []).entries()) {
    addRestarts(summary, status);
    const isSide = isSidecar(specs.find(({ name }) => name === status.name));
    if (isSide) addRestarts(sidecars, status);
    const { terminated, waiting } = status.state ?? {};
    if (terminated?.exitCode === 0 && terminated) continue;
    if (isSide && status.started) {
      if (status.ready) summary.ready++;
      continue;
    }
    if (terminated) summary.reason = `Init:${endReason(terminated)}`;
    else if (waiting?.reason && waiting.reason !== 'PodInitializing')
      summary.reason = `Init:${waiting.reason}`;
    else summary.reason = `Init:${index}/${specs.length}`;
    return true;
  }
  return false;
}

function addContainers(pod: Pod, summary: Summary): void {
  let hasRunning = false;
  let errorReason = '';
  for (const status of (pod.status?.containerStatuses ?? []).toReversed()) {
    addRestarts(summary, status);
    const { waiting, terminated, running } = status.state ?? {};
    if (waiting?.reason) summary.reason = waiting.reason;
    else if (terminated) {
      summary.reason = endReason(terminated);
      if (terminated.exitCode !== 0) errorReason = summary.reason;
    } else if (status.ready && running) {
      hasRunning = true;
      summary.ready++;
    }
  }
  if (summary.reason !== 'Completed') return;
  if (hasRunning && hasCondition(pod, 'Ready')) summary.reason = 'Running';
  else if (errorReason !== '') summary.reason = errorReason;
  else if (hasRunning) summary.reason = 'NotReady';
}

function addRestarts(summary: Summary, status: ContainerStatus): void {
  summary.restarts += status.restartCount;
  const finishedAt = status.lastState?.terminated?.finishedAt ?? '';
  if (finishedAt > summary.lastRestart) summary.lastRestart = finishedAt;
}

function endReason({
  reason,
  signal,
  exitCode,
}: {
  reason?: string;
  signal?: number;
  exitCode: number;
}): string {
  if (reason) return reason;
  return signal ? `Signal:${signal}` : `ExitCode:${exitCode}`;
}

function hasCondition(pod: Pod, wanted: string): boolean {
  return pod.status?.conditions?.some(({ type, status }) => type === wanted && status === 'True') ?? false;
}

function readinessGates(pod: Pod): string {
  const gates = pod.spec.readinessGates ?? [];
  if (gates.length === 0) return '<none>';
  return `${gates.filter(({ conditionType }) => hasCondition(pod, conditionType)).length}/${gates.length}`;
}

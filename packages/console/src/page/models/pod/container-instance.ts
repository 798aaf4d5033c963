import type { ContainerStateTerminated, Pod } from '@wherry/kubeapi/types';

/** What a pod says of the newest instance of one of its containers. */
export interface ContainerInstance {
  podUid: string;
  /** How many instances of the same pod came before it. */
  restarts: number;
  isRunning: boolean;
  /** When it was started, in milliseconds since 1970; undefined where it does not run. */
  startedMs: number | undefined;
  /** How the one before it ended; undefined where its kubelet has forgotten. */
  lastEnd: ContainerStateTerminated | undefined;
  /** None comes after it. */
  isFinal: boolean;
}

/** Undefined for a container that the pod does not have, or of which no status tells. A pure function. */
export function containerInstance(pod: Pod, name: string): ContainerInstance | undefined {
  const { metadata, spec, status = {} } = pod;
  const { containerStatuses = [], initContainerStatuses = [], ephemeralContainerStatuses = [] } = status;
  const regular = containerStatuses.find((one) => one.name === name);
  const initial = initContainerStatuses.find((one) => one.name === name);
  const found = regular ?? initial ?? ephemeralContainerStatuses.find((one) => one.name === name);
  if (!found) return undefined;
  const { running, waiting, terminated } = found.state ?? {};
  const isPodOver = status.phase === 'Succeeded' || status.phase === 'Failed';
  const { restartPolicy } = [...spec.containers, ...(spec.initContainers ?? [])].find(
    (one) => one.name === name,
  ) ?? { restartPolicy: 'Never' };
  // An init container that ends well is not run again, whatever the pod's policy; a sidecar always is.
  const usual = initial && spec.restartPolicy !== 'Never' ? 'OnFailure' : spec.restartPolicy;
  const policy = restartPolicy ?? usual ?? 'Always';
  const isDone = policy === 'Never' || (policy === 'OnFailure' && terminated?.exitCode === 0);
  return {
    podUid: metadata.uid ?? '',
    restarts: found.restartCount,
    isRunning: running !== undefined,
    startedMs: running ? Date.parse(running.startedAt ?? '') || undefined : undefined,
    // While another is awaited that is how the newest itself ended.
    lastEnd: waiting ? undefined : found.lastState?.terminated,
    isFinal: isPodOver || (terminated !== undefined && isDone),
  };
}

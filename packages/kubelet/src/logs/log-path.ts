import type { ContainerStatus, Pod } from '@wherry/kubeapi';

/** A log that can't be shown now; the text is what kubectl prints. */
export class LogStateError extends Error {
  readonly code = 'log-not-available';

  constructor(message: string) {
    super(message);
    this.name = 'LogStateError';
  }
}

/** The container whose log is meant, as statuses have its ID (`RUNTIME://…`), chosen as upstream does. Throws {@link LogStateError} when there is none. */
export function loggedContainer(pod: Pod, container: string, previous: boolean): string {
  const status = statusOf(pod, container);
  const { name } = pod.metadata;
  const where = `container ${JSON.stringify(container)} in pod ${JSON.stringify(name)}`;
  if (!status) throw new LogStateError(`${where} is not available`);
  if (previous) {
    const last = status.lastState?.terminated?.containerID;
    if (last) return last;
    throw new LogStateError(`previous terminated ${where} not found`);
  }
  const id =
    (status.state?.running && status.containerID) ||
    status.state?.terminated?.containerID ||
    status.lastState?.terminated?.containerID;
  if (id) return id;
  if (status.state?.terminated) throw new LogStateError(`${where} is terminated`);
  throw new LogStateError(`${where} ${waitingText(status)}`);
}

function waitingText({ state }: ContainerStatus): string {
  const reason = state?.waiting?.reason;
  if (reason === undefined) return 'is waiting to start - no logs yet';
  if (reason === 'ErrImagePull') return "is waiting to start: image can't be pulled";
  if (reason === 'ImagePullBackOff') return 'is waiting to start: trying and failing to pull image';
  return `is waiting to start: ${reason}`;
}

function statusOf({ status }: Pod, name: string): ContainerStatus | undefined {
  const all = [
    ...(status?.containerStatuses ?? []),
    ...(status?.initContainerStatuses ?? []),
    ...(status?.ephemeralContainerStatuses ?? []),
  ];
  return all.find((candidate) => candidate.name === name);
}

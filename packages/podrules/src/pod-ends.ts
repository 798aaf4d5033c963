import type { ContainerStateTerminated, Pod } from '@wherry/kubeapi';

/** How a container ended: `ended with exit code 1 (Error): what it wrote to its termination log`. */
export function endText({ exitCode, signal, reason, message }: ContainerStateTerminated): string {
  const how = signal ? `was ended by signal ${signal}` : `ended with exit code ${exitCode}`;
  const said = message?.trim();
  return `${how}${reason ? ` (${reason})` : ''}${said ? `: ${said}` : ''}`;
}

/** Why a pod has failed: what its status says, and how the first of its containers failed. Undefined for all others. */
export function failureText({ status = {} }: Pod): string | undefined {
  if (status.phase !== 'Failed') return undefined;
  const { initContainerStatuses = [], containerStatuses = [] } = status;
  const failed = [...initContainerStatuses, ...containerStatuses].find(
    ({ state }) => state?.terminated && state.terminated.exitCode !== 0,
  );
  const end = failed?.state?.terminated;
  const words = [status.reason, status.message, end && failed && `container ${failed.name} ${endText(end)}`];
  return words.filter(Boolean).join(': ') || undefined;
}

/** A container that runs now and did not run all the time. */
export interface Restarted {
  container: string;
  restarts: number;
  /** How it ended before; absent where its kubelet has forgotten. */
  end?: ContainerStateTerminated;
}

/** The containers of a pod that were started again and run now; those that ended last come first. */
export function restartedContainers({ status = {} }: Pod): Restarted[] {
  const { initContainerStatuses = [], containerStatuses = [] } = status;
  return [...initContainerStatuses, ...containerStatuses]
    .filter(({ restartCount, state }) => restartCount > 0 && state?.running)
    .map(({ name, restartCount, lastState }) => ({
      ...{ container: name, restarts: restartCount },
      ...(lastState?.terminated && { end: lastState.terminated }),
    }))
    .sort((one, other) => endMs(other) - endMs(one));
}

const endMs = ({ end }: Restarted): number => Date.parse(end?.finishedAt ?? '') || 0;

/** `container main was restarted 3 times; the last time it ended with exit code 137 (OOMKilled)`. */
export function restartedText({ container, restarts, end }: Restarted): string {
  const times = restarts === 1 ? 'once' : `${restarts} times`;
  return `container ${container} was restarted ${times}${end ? `; the last time it ${endText(end)}` : ''}`;
}

import { ContainerState, type ContainerStatus } from '@wherry/cri';
import type { Container, ContainerRestartRule } from '@wherry/kubeapi';
import type { AssignedPod } from './assigned-pod.ts';

function ruleMatches({ exitCodes }: ContainerRestartRule, exitCode: number): boolean {
  const listed = exitCodes?.values?.includes(exitCode) ?? false;
  return exitCodes?.operator === 'NotIn' ? !listed : listed;
}

function actionAfter({ restartPolicyRules = [] }: Container, exitCode: number): string | undefined {
  return restartPolicyRules.find((rule) => ruleMatches(rule, exitCode))?.action;
}

/** Whether the end of a container with `exitCode` has all of its pod started anew. */
export function restartsAll(container: Container, exitCode: number): boolean {
  return actionAfter(container, exitCode) === 'RestartAllContainers';
}

/** Whether a container that ended with `exitCode` is started again: its own rules, its own policy, the pod's policy. */
export function restartsAfter(pod: AssignedPod, container: Container, exitCode: number): boolean {
  const action = actionAfter(container, exitCode);
  if (action === 'Restart' || action === 'RestartAllContainers') return true;
  const policy = policyOf(pod, container);
  if (policy === 'Never') return false;
  return policy === 'Always' || exitCode !== 0;
}

/**
 * Whether a container that is killed for a failed probe, or whose state is not known, is started again at once. Rules on
 * exit codes do not count: it has none yet (upstream's computePodActions).
 */
export function restartsAfterKill(pod: AssignedPod, container: Container): boolean {
  return policyOf(pod, container) !== 'Never';
}

const policyOf = (pod: AssignedPod, container: Container) =>
  container.restartPolicy ?? pod.spec.restartPolicy ?? 'Always';

/** Whether a container that is not running should be started. `status` is its newest record. */
export function shouldStart(
  pod: AssignedPod,
  container: Container,
  status: ContainerStatus | undefined,
): boolean {
  if (pod.metadata.deletionTimestamp) return false;
  if (!status) return true;
  switch (status.state) {
    case ContainerState.CONTAINER_RUNNING:
      return false;
    case ContainerState.CONTAINER_EXITED:
      return restartsAfter(pod, container, status.exitCode);
    default:
      return true;
  }
}

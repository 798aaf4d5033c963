/** What has ended and is not to run again stays ended (upstream: ValidateContainerStateTransition and its like). */
import type { Container, ContainerStatus, Pod, PodSpec } from '../../../../../generated/types.ts';
import { at, child, type FieldError, forbiddenField } from '../../../../../status/field-error.ts';

const lists = [
  ['containerStatuses', 'containers'],
  ['initContainerStatuses', 'initContainers'],
] as const;

/** Violations in the states of a pod's containers. */
export function validateContainerStates(next: Pod, previous: Pod): FieldError[] {
  const spec: Partial<PodSpec> = previous.spec ?? {};
  const isEveryRestarted = [...(spec.initContainers ?? []), ...(spec.containers ?? [])].some(
    ({ restartPolicyRules = [] }) =>
      restartPolicyRules.some(({ action }) => action === 'RestartAllContainers'),
  );
  const own = lists.flatMap(([list, containers]) => {
    if (isEveryRestarted) return [];
    return revived(next, previous, list, ({ name, state }) => {
      const container = spec[containers]?.find((each) => each.name === name);
      return container !== undefined && restarts(container, spec, state?.terminated?.exitCode ?? 0);
    });
  });
  return [...own, ...revived(next, previous, 'ephemeralContainerStatuses', () => false)];
}

/** Those that were ended, are not any more, and may not run again. */
function revived(
  next: Pod,
  previous: Pod,
  list: 'containerStatuses' | 'initContainerStatuses' | 'ephemeralContainerStatuses',
  mayRestart: (ended: ContainerStatus) => boolean,
): FieldError[] {
  const now = new Map((next.status?.[list] ?? []).toReversed().map((status) => [status.name, status]));
  return (previous.status?.[list] ?? []).flatMap((ended, index) => {
    const status = now.get(ended.name);
    if (!ended.state?.terminated || !status || status.state?.terminated || mayRestart(ended)) return [];
    const field = child(at(child('status', list), index), 'state');
    return [forbiddenField(field, 'may not be transitioned to non-terminated state')];
  });
}

/** Whether a container that ended with that code runs again: by its own rules, its own policy, or the pod's. */
function restarts(container: Container, pod: Partial<PodSpec>, exitCode: number): boolean {
  const { restartPolicy, restartPolicyRules = [] } = container;
  if (restartPolicy !== undefined) {
    const rule = restartPolicyRules.find(({ exitCodes: { operator = '', values = [] } = {} }) => {
      if (operator === 'In') return values.includes(exitCode);
      return operator === 'NotIn' && !values.includes(exitCode);
    });
    if (rule?.action === 'Restart' || rule?.action === 'RestartAllContainers') return true;
  }
  const known = ['Always', 'OnFailure', 'Never'];
  const policy = known.includes(restartPolicy ?? '') ? restartPolicy : pod.restartPolicy;
  if (policy === 'OnFailure') return exitCode !== 0;
  return policy !== 'Never';
}

import type { Ground } from '../../ground/ground.ts';
import { type EventRecorder, nodeEvents } from '../../reporting/events/recorder.ts';
import { resolvConfProblem } from '../sandbox/resolv-conf-limits.ts';

const oldCgroups =
  'cgroup v1 detected. cgroup v1 support is deprecated and will be removed in a future release. Please migrate to cgroup v2. ' +
  'More information at https://git.k8s.io/enhancements/keps/sig-node/5573-remove-cgroup-v1';

/** Tells, once at its start, what a kubelet does not like of its machine, as events of the node. */
export function warnOfMachine(
  { nodeName, traits, configuration }: Pick<Ground, 'nodeName' | 'traits' | 'configuration'>,
  recorder: EventRecorder,
): void {
  const { warn } = nodeEvents(recorder, nodeName);
  const { cgroupVersion } = traits;
  if (cgroupVersion !== undefined && cgroupVersion !== 'v2') warn('CgroupV1', oldCgroups);
  const problem = resolvConfProblem(configuration);
  if (problem !== undefined) warn('CheckLimitsForResolvConf', problem);
}

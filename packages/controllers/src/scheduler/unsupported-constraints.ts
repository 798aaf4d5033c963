import type { Pod } from '@wherry/kubeapi/objects';

/**
 * What the pod demands of its place that this scheduler does not look at; empty when there is nothing. Such a pod stays
 * Pending, since any choice might break what it asks for. Wishes (`preferred…`, `ScheduleAnyway`) may go unmet.
 */
export function unsupportedConstraints(pod: Pod): string[] {
  const { affinity, topologySpreadConstraints = [], schedulingGroup } = pod.spec ?? {};
  const isRequired = (terms: { requiredDuringSchedulingIgnoredDuringExecution?: unknown[] } | undefined) =>
    (terms?.requiredDuringSchedulingIgnoredDuringExecution ?? []).length > 0;
  return [
    ...(isRequired(affinity?.podAffinity) ? ['spec.affinity.podAffinity'] : []),
    ...(isRequired(affinity?.podAntiAffinity) ? ['spec.affinity.podAntiAffinity'] : []),
    ...(topologySpreadConstraints.some(({ whenUnsatisfiable }) => whenUnsatisfiable === 'DoNotSchedule')
      ? ['spec.topologySpreadConstraints']
      : []),
    ...(schedulingGroup ? ['spec.schedulingGroup'] : []),
  ];
}

import type { MetricsRegistry } from '@wherry/telemetry';

/** Reasons that count as themselves (upstream: admissionRejectionReasons of pkg/kubelet/kubelet.go). */
const ownReasons: ReadonlySet<string> = new Set([
  'AppArmor',
  'PodOSSelectorNodeLabelDoesNotMatch',
  'PodOSNotSupported',
  'InvalidNodeInfo',
  'InitContainerRestartPolicyForbidden',
  'SupplementalGroupsPolicyNotSupported',
  'UnexpectedAdmissionError',
  'UnknownReason',
  'UnexpectedPredicateFailureType',
  'OutOfcpu',
  'OutOfmemory',
  'OutOfephemeral-storage',
  'OutOfpods',
  'PodLevelResourcesNotSupported',
  'PodFeatureUnsupported',
  'Evicted',
  'SysctlForbidden',
  'TopologyAffinityError',
  'NodeShutdown',
]);

/** Counts pods that were refused, by why; other reasons than those of upstream's list count together. */
export function rejectionFigures(metrics: MetricsRegistry): (reason: string) => void {
  const rejections = metrics.counter(
    'kubelet_admission_rejections_total',
    'Pods that this node did not take, by why.',
  );
  return (reason) => rejections.add(1, { reason: labelOf(reason) });
}

function labelOf(reason: string): string {
  if (ownReasons.has(reason)) return reason;
  return reason.startsWith('OutOf') ? 'OutOfExtendedResources' : 'Other';
}

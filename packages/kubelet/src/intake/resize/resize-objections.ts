import { ownValue, parseQuantity } from '@wherry/kubeapi';
import { qualityOfService } from '@wherry/podrules';
import type { KubeletConfiguration } from '../../configuration/configuration.ts';
import type { AssignedPod } from '../../pod/assigned-pod.ts';
import { type SwapRules, swapObjection } from '../../pod/swap.ts';

/** Why a pod can never have what it asks for by now; `reason` is that of the metric. */
export interface ResizeObjection {
  reason: string;
  message: string;
}

type Policies = Pick<KubeletConfiguration, 'cpuManagerPolicy' | 'memoryManagerPolicy'>;

/**
 * Of containers that swap memory is not changed; Guaranteed pods keep the processors and the memory that they were taken in
 * with, where such pods have some to themselves (pkg/kubelet/allocation/handlers.go).
 */
export function resizeObjection(
  pod: AssignedPod,
  given: AssignedPod,
  { policies, swap }: { policies: Policies; swap: SwapRules },
): ResizeObjection | undefined {
  const swaps = swapObjection(pod, given, swap);
  return swaps ? { reason: 'swap_limitation', message: swaps } : pinnedObjection(pod, given, policies);
}

function pinnedObjection(
  pod: AssignedPod,
  given: AssignedPod,
  policies: Policies,
): ResizeObjection | undefined {
  if (qualityOfService(pod) !== 'Guaranteed') return undefined;
  if (policies.cpuManagerPolicy === 'static' && changes(pod, given, 'cpu'))
    return {
      reason: 'guaranteed_pod_cpu_manager_static_policy',
      message: 'Resize is infeasible for Guaranteed Pods alongside CPU Manager policy "static"',
    };
  if (policies.memoryManagerPolicy === 'Static' && changes(pod, given, 'memory'))
    return {
      reason: 'guaranteed_pod_memory_manager_static_policy',
      message: 'Resize is infeasible for Guaranteed Pods alongside Memory Manager policy "Static"',
    };
  return undefined;
}

function changes(pod: AssignedPod, given: AssignedPod, resource: string): boolean {
  const amounts = ({ spec }: AssignedPod) =>
    [...(spec.initContainers ?? []), ...spec.containers].flatMap(({ resources }) =>
      [resources?.requests, resources?.limits].map((list) => parseQuantity(ownValue(list, resource) ?? '0')),
    );
  const before = amounts(given);
  return amounts(pod).some((amount, place) => before[place]?.cmp(amount) !== 0);
}

import type { Input, LinuxContainerResources } from '@wherry/cri';
import { type Container, ownValue } from '@wherry/kubeapi';
import { amountsOf, isSidecar, qualityOfService, sumOfContainers } from '@wherry/podrules';
import { amountOf, milliAmountOf } from '../../pod/amount.ts';
import { type AssignedPod, isCriticalPod } from '../../pod/assigned-pod.ts';
import { limitsOf } from '../../pod/container-amounts.ts';
import { cpuQuotaUs, cpuShares } from '../../pod/cpu-shares.ts';
import { type SwapRules, swapBytesOf } from '../../pod/swap.ts';
import { containerHugePages, pageSizeText } from './huge-pages.ts';

/** What CRI says for no quota: 0 would be what nobody says anything of. */
export const noQuota = -1;

/** Score of pods the kernel should kill last, and of those it should kill first. */
const guaranteedScore = -997;
const bestEffortScore = 1_000;

/** Of critical pods those of this class go last, by its name, as upstream: static pods may have no priority. */
const nodeCriticalClass = 'system-node-critical';

/** What the node contributes to a container's resources. */
export interface ResourceContext {
  cpuQuotaEnabled: boolean;
  /** Whether a container of the pod, or this one, has processors to itself: it is held to no quota then. */
  hasOwnCpus(pod: AssignedPod, container?: Container): boolean;
  cpuPeriodMs: number;
  nodeMemoryBytes: number;
  swap: SwapRules;
  /** Bytes of each size of huge pages that the machine knows. */
  hugePageSizes: readonly number[];
  /** When memory runs out the whole container is killed, not one process of it. */
  killsWholeContainer: boolean;
}

/** The CRI resources of a container. */
export function containerResources(
  pod: AssignedPod,
  container: Container,
  context: ResourceContext,
): Input<LinuxContainerResources> {
  const limits = limitsOf(pod, container);
  const requests = container.resources?.requests ?? {};
  const cpuLimit = limits['cpu'] === undefined ? 0 : milliAmountOf(limits['cpu']);
  const cpuRequest = requests['cpu'] === undefined ? cpuLimit : milliAmountOf(requests['cpu']);
  const cpuPeriod = context.cpuPeriodMs * 1_000;
  const cpuQuota = context.hasOwnCpus(pod, container) ? noQuota : cpuQuotaUs(cpuLimit, cpuPeriod);
  const memoryLimitInBytes = limits['memory'] === undefined ? 0 : amountOf(limits['memory']);
  return {
    cpuShares: cpuShares(cpuRequest),
    ...(context.cpuQuotaEnabled ? { cpuPeriod, cpuQuota } : {}),
    memoryLimitInBytes,
    hugepageLimits: context.hugePageSizes.map((pageBytes) => ({
      pageSize: pageSizeText(pageBytes),
      limit: containerHugePages(pod, container, pageBytes),
    })),
    // On cgroup v1 this is memory and swap together; what has no limit of memory can not be kept from swapping there.
    ...(context.swap.cgroupVersion === 'v1' && memoryLimitInBytes > 0
      ? { memorySwapLimitInBytes: memoryLimitInBytes }
      : {}),
    ...unifiedFiles(pod, container, context),
    oomScoreAdj: oomScoreAdj(pod, container, context.nodeMemoryBytes),
  };
}

/** What CRI has no field for: files of the container's group on cgroup v2. */
function unifiedFiles(
  pod: AssignedPod,
  container: Container,
  { killsWholeContainer, swap }: ResourceContext,
): { unified?: Record<string, string> } {
  const unified = {
    ...(killsWholeContainer && { 'memory.oom.group': '1' }),
    ...(swap.cgroupVersion === 'v2' && { 'memory.swap.max': String(swapBytesOf(pod, container, swap)) }),
  };
  return Object.keys(unified).length > 0 ? { unified } : {};
}

/** The kernel's inclination to kill the container when memory runs out, -1000 to 1000. */
export function oomScoreAdj(pod: AssignedPod, container: Container, nodeMemoryBytes: number): number {
  if (isCriticalPod(pod) && pod.spec.priorityClassName === nodeCriticalClass) return guaranteedScore;
  const quality = qualityOfService(pod);
  if (quality === 'Guaranteed') return guaranteedScore;
  if (quality === 'BestEffort') return bestEffortScore;
  const share = freeMemoryShare(pod);
  const own = burstableScore(memoryRequest(container) + share, nodeMemoryBytes);
  if (!isSidecar(container)) return own;
  const lowest = Math.min(...pod.spec.containers.map(memoryRequest));
  return Math.min(own, burstableScore(lowest + share, nodeMemoryBytes));
}

/** An equal part of the memory that a pod asks for as a whole beyond what its containers do. */
function freeMemoryShare({ spec }: AssignedPod): number {
  const whole = ownValue(spec.resources?.requests, 'memory');
  if (whole === undefined) return 0;
  const requests = sumOfContainers<Container>(spec, ({ resources }) => amountsOf(resources?.requests));
  const free = amountOf(whole) - (requests.get('memory')?.toNumber() ?? 0);
  return Math.floor(free / (spec.containers.length + (spec.initContainers?.length ?? 0)));
}

function burstableScore(requestBytes: number, nodeMemoryBytes: number): number {
  if (nodeMemoryBytes <= 0) return 999;
  const score = 1_000 - Math.floor((1_000 * requestBytes) / nodeMemoryBytes);
  return Math.min(999, Math.max(3, score));
}

function memoryRequest(container: Container): number {
  return amountOf(container.resources?.requests?.['memory'] ?? '0');
}

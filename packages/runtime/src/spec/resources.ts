import type { LinuxContainerResources } from '@wherry/cri';
import type { OciLinuxResources } from './oci-spec.ts';

/** What the machine's cgroups can do. */
export interface CgroupAbilities {
  swap: boolean;
  hugetlb: boolean;
}

/** CRI's limits as OCI has them; 0 and empty mean "not set" in CRI. */
export function ociResources(
  resources: LinuxContainerResources | undefined,
  abilities: CgroupAbilities,
): Omit<OciLinuxResources, 'devices'> {
  if (!resources) return {};
  const { memoryLimitInBytes: limit, memorySwapLimitInBytes: swapLimit } = resources;
  const swap = swapLimit !== 0 ? swapLimit : limit;
  const cpu = {
    ...(resources.cpuShares !== 0 && { shares: resources.cpuShares }),
    ...(resources.cpuQuota !== 0 && { quota: resources.cpuQuota }),
    ...(resources.cpuPeriod !== 0 && { period: resources.cpuPeriod }),
    ...(resources.cpusetCpus !== '' && { cpus: resources.cpusetCpus }),
    ...(resources.cpusetMems !== '' && { mems: resources.cpusetMems }),
  };
  const memory = {
    ...(limit !== 0 && { limit }),
    ...(abilities.swap && swap !== 0 && { swap }),
  };
  return {
    ...(Object.keys(cpu).length > 0 && { cpu }),
    ...(Object.keys(memory).length > 0 && { memory }),
    ...(abilities.hugetlb &&
      resources.hugepageLimits.length > 0 && {
        hugepageLimits: resources.hugepageLimits.map(({ pageSize, limit }) => ({ pageSize, limit })),
      }),
    ...(Object.keys(resources.unified).length > 0 && { unified: resources.unified }),
  };
}

/** The limits in force after an update: what the update leaves unset stays. */
export function mergeResources(
  before: LinuxContainerResources | undefined,
  update: LinuxContainerResources,
): LinuxContainerResources {
  if (!before) return update;
  return {
    cpuPeriod: update.cpuPeriod || before.cpuPeriod,
    cpuQuota: update.cpuQuota || before.cpuQuota,
    cpuShares: update.cpuShares || before.cpuShares,
    memoryLimitInBytes: update.memoryLimitInBytes || before.memoryLimitInBytes,
    memorySwapLimitInBytes: update.memorySwapLimitInBytes || before.memorySwapLimitInBytes,
    oomScoreAdj: update.oomScoreAdj || before.oomScoreAdj,
    cpusetCpus: update.cpusetCpus || before.cpusetCpus,
    cpusetMems: update.cpusetMems || before.cpusetMems,
    hugepageLimits: update.hugepageLimits.length > 0 ? update.hugepageLimits : before.hugepageLimits,
    unified: { ...before.unified, ...update.unified },
  };
}

import { ContainerState, type ContainerStatus as CriStatus, type LinuxContainerResources } from '@wherry/cri';
import type { Container, ContainerStatus } from '@wherry/kubeapi';
import { amountOf, milliAmountOf } from '../../pod/amount.ts';
import { cpuQuotaUs, cpuShares } from '../../pod/cpu-shares.ts';

type Amounts = Record<string, string>;
type Told = Pick<ContainerStatus, 'resources' | 'allocatedResources'>;

/**
 * A container's resources for its status. Of a running one they are the runtime's own: the spec's words stand where they
 * come to the same, other numbers where they do not, as long as a resize is on its way. `container` has what was granted.
 */
export function resourcesInForce({ resources = {} }: Container, record: CriStatus): Told {
  const { limits, requests } = resources;
  const granted = requests ? { allocatedResources: requests } : {};
  const actual = record.resources?.linux;
  if (record.state !== ContainerState.CONTAINER_RUNNING || !actual) return { resources, ...granted };
  return {
    resources: {
      ...resources,
      ...(limits ? { limits: limitsInForce(limits, actual) } : {}),
      ...(requests ? { requests: requestsInForce(requests, actual) } : {}),
    },
    ...granted,
  };
}

function limitsInForce(limits: Amounts, actual: LinuxContainerResources): Amounts {
  const inForce = { ...limits };
  const { cpu, memory } = limits;
  const memoryBytes = actual.memoryLimitInBytes;
  if (memory !== undefined && amountOf(memory) !== memoryBytes) inForce['memory'] = String(memoryBytes);
  const { cpuQuota, cpuPeriod } = actual;
  if (cpu !== undefined && cpuPeriod > 0 && cpuQuotaUs(milliAmountOf(cpu), cpuPeriod) !== cpuQuota)
    inForce['cpu'] = `${Math.round((Math.max(0, cpuQuota) * 1_000) / cpuPeriod)}m`;
  return inForce;
}

/** Of requests only the processor's shares are known to a runtime. */
function requestsInForce(requests: Amounts, { cpuShares: shares }: LinuxContainerResources): Amounts {
  const { cpu } = requests;
  if (cpu === undefined || cpuShares(milliAmountOf(cpu)) === shares) return requests;
  return { ...requests, cpu: `${Math.ceil((shares * 1_000) / 1_024)}m` };
}

import { ContainerState, type ContainerStatus as CriStatus, type LinuxContainerResources } from '@wherry/cri';
import type { Container, ContainerStatus } from '@wherry/kubeapi';
import { amountOf, milliAmountOf } from '../../pod/amount.ts';
import { cpuQuotaUs, cpuShares } from '../../pod/cpu-shares.ts';

type Amounts = Record<string, string>;
type Told = Pick<ContainerStatus, 'resources' | 'allocatedResources'>;

/**
 * A container's resources for its status. Of a running one they are the runtime's own: the spec's words stand where they
 * come to the same, other numbers where they do not, and nothing where the runtime does not say. That the spec's were
 * handed out is told only while they are in force: a running container is not resized here.
 */
export function resourcesInForce({ resources }: Container, record: CriStatus): Told {
  if (!resources) return {};
  const { limits, requests } = resources;
  const asSpecified = { resources, ...(requests ? { allocatedResources: requests } : {}) };
  if (record.state !== ContainerState.CONTAINER_RUNNING) return asSpecified;
  const actual = record.resources?.linux;
  if (!actual) return {};
  const inForce = {
    ...resources,
    ...(limits ? { limits: limitsInForce(limits, actual) } : {}),
    ...(requests ? { requests: requestsInForce(requests, actual) } : {}),
  };
  const isSame = JSON.stringify(inForce) === JSON.stringify(resources);
  return isSame ? asSpecified : { resources: inForce };
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

import type { KubeletConfiguration } from '../../configuration/configuration.ts';
import { ConfigurationError } from '../../configuration/configuration-error.ts';
import { formatCpuSet, parseCpuSet } from '../../pod/cpu-set.ts';
import { cpusOf, type MachineTopology } from './machine-topology.ts';

/**
 * The configuration with as many processors kept back as `reservedSystemCPUs` names, whatever kubeReserved and systemReserved
 * say of them (cmd/kubelet/app/server.go). Throws ConfigurationError for processors that the machine does not have.
 */
export function withReservedCpus(
  configuration: KubeletConfiguration,
  topology: MachineTopology,
): KubeletConfiguration {
  const { reservedSystemCPUs, kubeReserved, systemReserved } = configuration;
  if (reservedSystemCPUs === '') return configuration;
  const [reserved, all] = [parseCpuSet(reservedSystemCPUs), cpusOf(topology)];
  if (!reserved.isSubsetOf(all))
    throw new ConfigurationError([
      `reservedSystemCPUs: ${reservedSystemCPUs} is not among the processors of this machine, ${formatCpuSet(all)}`,
    ]);
  const { cpu: _, ...others } = kubeReserved;
  return {
    ...configuration,
    kubeReserved: others,
    systemReserved: { ...systemReserved, cpu: String(reserved.size) },
  };
}

import type { MachineInfo } from '../../ground/machine-info.ts';
import type { FilesystemFigures, NodeFigures } from '../node-figures.ts';
import { groupLabels, type Samples } from './families.ts';
import { interfaceSamples } from './interface-samples.ts';

/** The machine's size, and what all of it takes: the group `/`. */
export function machineSamples(
  samples: Samples,
  machine: MachineInfo,
  { cpuNs, memory, interfaces }: NodeFigures,
  filesystem: FilesystemFigures | undefined,
): void {
  const of = { boot_id: machine.bootId, machine_id: machine.machineId, system_uuid: machine.systemUuid };
  samples.add('machine_cpu_cores', machine.cores, of);
  samples.add('machine_memory_bytes', machine.memoryBytes, of);
  samples.add('machine_swap_bytes', machine.swapBytes, of);
  samples.add('machine_scrape_error', 0, {});
  const root = groupLabels({ id: '/' });
  samples.add('container_cpu_usage_seconds_total', cpuNs / 1e9, { ...root, cpu: 'total' });
  samples.add('container_memory_usage_bytes', memory.usageBytes, root);
  samples.add('container_memory_working_set_bytes', memory.workingSetBytes, root);
  samples.add('container_memory_rss', memory.residentBytes, root);
  samples.add('container_memory_cache', memory.cacheBytes, root);
  samples.add('container_memory_swap', memory.swapUsageBytes, root);
  samples.add('container_spec_memory_limit_bytes', machine.memoryBytes, root);
  interfaceSamples(samples, root, interfaces);
  if (!filesystem) return;
  const onDevice = { ...root, device: filesystem.device };
  samples.add('container_fs_usage_bytes', filesystem.usedBytes, onDevice);
  samples.add('container_fs_limit_bytes', filesystem.capacityBytes, onDevice);
  samples.add('container_fs_inodes_total', filesystem.inodes, onDevice);
  samples.add('container_fs_inodes_free', filesystem.inodesFree, onDevice);
}

import type { LinuxContainerResources as CriResources } from '@wherry/cri';
import { RuntimeError } from '../errors.ts';
import { Field, type LinuxResources } from '../generated/nri.ts';
import type { OciLinuxResources } from '../spec/oci-spec.ts';

/** Limits that no container of this runtime gets, by their names in a request. */
function refuseOthers(resources: LinuxResources): void {
  const { memory, cpu } = resources;
  const asked = {
    'memory.kernel': memory?.kernel,
    'memory.kernel_tcp': memory?.kernelTcp,
    'memory.swappiness': memory?.swappiness,
    'memory.disable_oom_killer': memory?.disableOomKiller,
    'memory.use_hierarchy': memory?.useHierarchy,
    'cpu.realtime_runtime': cpu?.realtimeRuntime,
    'cpu.realtime_period': cpu?.realtimePeriod,
    blockio_class: resources.blockioClass,
    rdt_class: resources.rdtClass,
  };
  for (const [name, value] of Object.entries(asked))
    if (value !== undefined) throw notActedOn(`linux.resources.${name}`);
}

/** The error for a field that this runtime does not act on. */
export const notActedOn = (field: string): RuntimeError =>
  new RuntimeError('INVALID_ARGUMENT', `${field} of an NRI plug-in is not acted on here`);

/** What of resources is set, as owners are kept. Throws `RuntimeError` for what is not acted on. */
export function claimsOf(resources: LinuxResources): [field: number, key: string][] {
  refuseOthers(resources);
  const { memory, cpu, hugepageLimits, unified, pids } = resources;
  const single: [number, unknown][] = [
    [Field.MemLimit, memory?.limit],
    [Field.MemReservation, memory?.reservation],
    [Field.MemSwapLimit, memory?.swap],
    [Field.CPUShares, cpu?.shares],
    [Field.CPUQuota, cpu?.quota],
    [Field.CPUPeriod, cpu?.period],
    [Field.CPUSetCPUs, cpu?.cpus || undefined],
    [Field.CPUSetMems, cpu?.mems || undefined],
    [Field.PidsLimit, pids],
  ];
  return [
    ...single.flatMap(([field, value]): [number, string][] => (value === undefined ? [] : [[field, '']])),
    ...hugepageLimits.map(({ pageSize }): [number, string] => [Field.HugepageLimits, pageSize]),
    ...Object.keys(unified).map((key): [number, string] => [Field.CgroupsUnified, key]),
  ];
}

/** Resources of two plug-ins together; they never set the same. */
export function joined(before: LinuxResources | undefined, next: LinuxResources): LinuxResources {
  if (!before) return next;
  const set = <Part extends object>(part: Part | undefined): Partial<Part> =>
    Object.fromEntries(
      Object.entries(part ?? {}).filter(([, value]) => value !== undefined && value !== ''),
    ) as Partial<Part>;
  return {
    memory: { ...before.memory, ...set(next.memory) },
    cpu: { cpus: '', mems: '', ...before.cpu, ...set(next.cpu) },
    hugepageLimits: [...before.hugepageLimits, ...next.hugepageLimits],
    unified: { ...before.unified, ...next.unified },
    devices: [...before.devices, ...next.devices],
    pids: next.pids ?? before.pids,
  };
}

/** A plug-in's resources as a request of CRI, for a container that is there. Throws `RuntimeError` for what can't be changed. */
export function criResources(resources: LinuxResources): CriResources {
  refuseOthers(resources);
  const { memory, cpu } = resources;
  if (memory?.reservation) throw notActedOn('linux.resources.memory.reservation of an update');
  if (resources.pids) throw notActedOn('linux.resources.pids of an update');
  if (resources.devices.length > 0) throw notActedOn('linux.resources.devices of an update');
  return {
    cpuPeriod: cpu?.period?.value ?? 0,
    cpuQuota: cpu?.quota?.value ?? 0,
    cpuShares: cpu?.shares?.value ?? 0,
    memoryLimitInBytes: memory?.limit?.value ?? 0,
    memorySwapLimitInBytes: memory?.swap?.value ?? 0,
    oomScoreAdj: 0,
    cpusetCpus: cpu?.cpus ?? '',
    cpusetMems: cpu?.mems ?? '',
    hugepageLimits: resources.hugepageLimits,
    unified: resources.unified,
  };
}

const some = (value: number | undefined) => (value === undefined || value === 0 ? undefined : { value });

/** CRI's limits as plug-ins are told; 0 means "not set" in CRI. */
export function toResources(resources: CriResources | undefined): LinuxResources | undefined {
  if (!resources) return undefined;
  return {
    memory: { limit: some(resources.memoryLimitInBytes), swap: some(resources.memorySwapLimitInBytes) },
    cpu: {
      shares: some(resources.cpuShares),
      quota: some(resources.cpuQuota),
      period: some(resources.cpuPeriod),
      cpus: resources.cpusetCpus,
      mems: resources.cpusetMems,
    },
    hugepageLimits: resources.hugepageLimits,
    unified: resources.unified,
    devices: [],
  };
}

/** The OCI configuration's limits as plug-ins are told. */
export function fromOci(resources: OciLinuxResources): LinuxResources {
  const { memory, cpu, pids } = resources;
  const valued = (value: number | undefined) => (value === undefined ? undefined : { value });
  return {
    memory: {
      limit: valued(memory?.limit),
      reservation: valued(memory?.reservation),
      swap: valued(memory?.swap),
    },
    cpu: {
      shares: valued(cpu?.shares),
      quota: valued(cpu?.quota),
      period: valued(cpu?.period),
      cpus: cpu?.cpus ?? '',
      mems: cpu?.mems ?? '',
    },
    hugepageLimits: resources.hugepageLimits ?? [],
    unified: resources.unified ?? {},
    devices: (resources.devices ?? []).map(({ allow, type, major, minor, access }) => ({
      allow,
      type: type ?? '',
      access,
      major: valued(major),
      minor: valued(minor),
    })),
    pids,
  };
}

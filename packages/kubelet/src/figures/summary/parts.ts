/** The parts that nodes, pods and containers share in `/stats/summary` (k8s.io/kubelet pkg/apis/stats/v1alpha1). */
import type { CpuUsage, MemoryUsage, NetworkInterfaceUsage, PsiData, PsiStats, SwapUsage } from '@wherry/cri';
import type { Pressure, TreeUsage } from '@wherry/linux';
import { millisecondsOf } from '../../observation/pod-record.ts';
import type { FilesystemFigures } from '../node-figures.ts';

/** A time as the API has it, of nanoseconds since the epoch. */
export const isoTime = (nanoseconds: bigint): string => new Date(millisecondsOf(nanoseconds)).toISOString();

const noStall = { total: 0, avg10: 0, avg60: 0, avg300: 0 };
const stallOf = (data: PsiData | undefined) =>
  data ? { total: data.total, avg10: data.avg10, avg60: data.avg60, avg300: data.avg300 } : noStall;

function psiOf(psi: PsiStats | undefined) {
  return psi && { psi: { some: stallOf(psi.some), full: stallOf(psi.full) } };
}

/** Pressure as the kernel tells it, in the summary's words. */
export function pressurePart(pressure: Pressure | undefined) {
  const stall = (found: Pressure['some']) => {
    if (!found) return noStall;
    const { totalNs: total, ...averages } = found;
    return { total, ...averages };
  };
  return pressure && { psi: { some: stall(pressure.some), full: stall(pressure.full) } };
}

/** Use of the processors. */
export function cpuPart(cpu: CpuUsage) {
  return {
    time: isoTime(cpu.timestamp),
    usageNanoCores: cpu.usageNanoCores?.value,
    usageCoreNanoSeconds: cpu.usageCoreNanoSeconds?.value,
    ...psiOf(cpu.psi),
  };
}

/** Use of memory; what is available is told of those that have a limit. */
export function memoryPart(memory: MemoryUsage, hasLimit: boolean) {
  return {
    time: isoTime(memory.timestamp),
    ...(hasLimit ? { availableBytes: memory.availableBytes?.value } : {}),
    usageBytes: memory.usageBytes?.value,
    workingSetBytes: memory.workingSetBytes?.value,
    rssBytes: memory.rssBytes?.value,
    pageFaults: memory.pageFaults?.value,
    majorPageFaults: memory.majorPageFaults?.value,
    ...psiOf(memory.psi),
  };
}

/** Time that was lost to reads and writes. */
export function ioPart(io: { timestamp: bigint; psi?: PsiStats | undefined }) {
  return { time: isoTime(io.timestamp), ...psiOf(io.psi) };
}

/** Use of swap. */
export function swapPart({ timestamp, swapAvailableBytes, swapUsageBytes }: SwapUsage) {
  return {
    time: isoTime(timestamp),
    swapAvailableBytes: swapAvailableBytes?.value,
    swapUsageBytes: swapUsageBytes?.value,
  };
}

/** One interface of a pod. */
export function interfacePart({ name, rxBytes, rxErrors, txBytes, txErrors }: NetworkInterfaceUsage) {
  return {
    name,
    rxBytes: rxBytes?.value,
    rxErrors: rxErrors?.value,
    txBytes: txBytes?.value,
    txErrors: txErrors?.value,
  };
}

/** A file system, and what of it is used: all that is, or what one tree takes. */
export function filesystemPart(filesystem: FilesystemFigures | undefined, time: string, used?: TreeUsage) {
  const { capacityBytes, availableBytes, inodes, inodesFree } = filesystem ?? {};
  const inodesUsed = filesystem && filesystem.inodes - filesystem.inodesFree;
  return {
    time,
    availableBytes,
    capacityBytes,
    usedBytes: used ? used.bytes : filesystem?.usedBytes,
    inodesFree,
    inodes,
    inodesUsed: used ? used.inodes : inodesUsed,
  };
}

/** `/stats/summary`: the shape of k8s.io/kubelet pkg/apis/stats/v1alpha1. */
import { readFile } from 'node:fs/promises';
import type {
  ContainerStats,
  CpuUsage,
  MemoryUsage,
  NetworkInterfaceUsage,
  PodSandboxStats,
  UInt64Value,
} from '@wherry/cri';
import type { Ground } from '../ground/ground.ts';
import { readFilesystem } from '../ground/machine-info.ts';
import { millisecondsOf } from './pod-record.ts';

const isoTime = (nanoseconds: bigint) => new Date(millisecondsOf(nanoseconds)).toISOString();
const numberOf = (value: UInt64Value | undefined) => value?.value;

/** The summary of the node and its pods. Throws CriError. */
export async function statsSummary(ground: Ground, onlyCpuAndMemory: boolean): Promise<object> {
  const { stats } = await ground.cri.runtime.listPodSandboxStats({});
  const [cpu, memory, filesystem, bootMs] = await Promise.all([
    nodeCpu(),
    nodeMemory(),
    readFilesystem(ground.paths.rootDir),
    bootTimeMs(),
  ]);
  const time = new Date(ground.clock.nowMs()).toISOString();
  const fs = {
    time,
    availableBytes: filesystem.freeBytes,
    capacityBytes: filesystem.totalBytes,
    usedBytes: filesystem.totalBytes - filesystem.freeBytes,
  };
  return {
    node: {
      nodeName: ground.nodeName,
      startTime: new Date(bootMs).toISOString(),
      cpu: { time, ...cpu },
      memory: { time, ...memory },
      ...(onlyCpuAndMemory ? {} : { fs }),
    },
    pods: stats.map((pod) => podSummary(pod, onlyCpuAndMemory)),
  };
}

function podSummary({ attributes, linux }: PodSandboxStats, onlyCpuAndMemory: boolean): object {
  const { name, namespace, uid } = attributes?.metadata ?? { name: '', namespace: '', uid: '' };
  const main = linux?.network?.defaultInterface;
  const network = {
    time: isoTime(linux?.network?.timestamp ?? 0n),
    ...(main ? interfaceSummary(main) : {}),
    interfaces: (linux?.network?.interfaces ?? []).map(interfaceSummary),
  };
  const rest = { network, process_stats: { process_count: numberOf(linux?.process?.processCount) ?? 0 } };
  return {
    podRef: { name, namespace, uid },
    containers: (linux?.containers ?? []).map(containerSummary),
    cpu: cpuSummary(linux?.cpu),
    memory: memorySummary(linux?.memory),
    ...(onlyCpuAndMemory ? {} : rest),
  };
}

function containerSummary({ attributes, cpu, memory, writableLayer }: ContainerStats): object {
  const usedBytes = numberOf(writableLayer?.usedBytes);
  return {
    name: attributes?.metadata?.name ?? '',
    cpu: cpuSummary(cpu),
    memory: memorySummary(memory),
    ...(writableLayer ? { rootfs: { time: isoTime(writableLayer.timestamp), usedBytes } } : {}),
  };
}

function cpuSummary(cpu: CpuUsage | undefined): object {
  return {
    time: isoTime(cpu?.timestamp ?? 0n),
    usageNanoCores: numberOf(cpu?.usageNanoCores),
    usageCoreNanoSeconds: numberOf(cpu?.usageCoreNanoSeconds),
  };
}

function memorySummary(memory: MemoryUsage | undefined): object {
  return {
    time: isoTime(memory?.timestamp ?? 0n),
    availableBytes: numberOf(memory?.availableBytes),
    usageBytes: numberOf(memory?.usageBytes),
    workingSetBytes: numberOf(memory?.workingSetBytes),
    rssBytes: numberOf(memory?.rssBytes),
    pageFaults: numberOf(memory?.pageFaults),
    majorPageFaults: numberOf(memory?.majorPageFaults),
  };
}

function interfaceSummary({ name, rxBytes, rxErrors, txBytes, txErrors }: NetworkInterfaceUsage) {
  return {
    name,
    rxBytes: numberOf(rxBytes),
    rxErrors: numberOf(rxErrors),
    txBytes: numberOf(txBytes),
    txErrors: numberOf(txErrors),
  };
}

/** Clock ticks per second in /proc/stat: fixed at 100 for user space (USER_HZ). */
const tickNanoseconds = 10_000_000;

/** Processor time the node has spent since its start. */
export async function nodeCpu(): Promise<{ usageCoreNanoSeconds: number }> {
  const stat = await readFile('/proc/stat', 'utf8');
  const [user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0, steal = 0] = (
    /^cpu\s+(.*)$/m.exec(stat)?.[1] ?? ''
  )
    .split(/\s+/)
    .map(Number);
  const ticks = user + nice + system + irq + softirq + steal;
  return { usageCoreNanoSeconds: ticks * tickNanoseconds };
}

/** Memory of the node; the working set leaves out what the kernel can drop at once. */
export async function nodeMemory(): Promise<{
  availableBytes: number;
  usageBytes: number;
  workingSetBytes: number;
}> {
  const text = await readFile('/proc/meminfo', 'utf8');
  const of = (name: string) =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(text)?.[1] ?? 0) * 1_024;
  const usageBytes = of('MemTotal') - of('MemFree');
  const workingSetBytes = Math.max(0, usageBytes - of('Inactive\\(file\\)'));
  const availableBytes = of('MemTotal') - workingSetBytes;
  return { availableBytes, usageBytes, workingSetBytes };
}

async function bootTimeMs(): Promise<number> {
  const stat = await readFile('/proc/stat', 'utf8');
  return Number(/^btime (\d+)$/m.exec(stat)?.[1] ?? 0) * 1_000;
}

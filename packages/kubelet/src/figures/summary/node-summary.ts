import { type CgroupLayout, readMachinePressure } from '@wherry/linux';
import type { CpuRate } from '../cpu-rate.ts';
import type { FilesystemFigures, NodeFigures } from '../node-figures.ts';
import { groupFigures } from '../pod-groups.ts';
import { filesystemPart, pressurePart } from './parts.ts';

/** What the node's summary is made of. */
export interface NodeSummaryParts {
  nodeName: string;
  bootedAtMs: number;
  figures: NodeFigures;
  /** The layout and path of the group above all pods; undefined where there is none. */
  pods: { layout: CgroupLayout; path: string } | undefined;
  /** When this process began. */
  startedAtMs: number;
  /** How fast the processor's time of this process and of all pods rises. */
  rates: { kubelet: CpuRate; pods: CpuRate };
  filesystem: FilesystemFigures | undefined;
  images: FilesystemFigures | undefined;
  /** What images and containers' own files take, as the runtime says. */
  imageUsage: { bytes: number; inodes: number } | undefined;
  onlyCpuAndMemory: boolean;
}

/** The node as a whole, this process, and all pods together. */
export function nodeSummary(parts: NodeSummaryParts): object {
  const { nodeName, bootedAtMs, figures, filesystem, images, imageUsage, onlyCpuAndMemory } = parts;
  const { memory, cpuNs, cpuNsPerSecond } = figures;
  const time = new Date(figures.atMs).toISOString();
  const availableBytes = Math.max(0, memory.totalBytes - memory.workingSetBytes);
  return {
    nodeName,
    systemContainers: systemContainers(parts, time),
    startTime: new Date(bootedAtMs).toISOString(),
    cpu: {
      time,
      usageNanoCores: cpuNsPerSecond,
      usageCoreNanoSeconds: cpuNs,
      ...pressurePart(readMachinePressure('cpu')),
    },
    memory: {
      time,
      availableBytes,
      usageBytes: memory.usageBytes,
      workingSetBytes: memory.workingSetBytes,
      rssBytes: memory.residentBytes,
      pageFaults: memory.pageFaults,
      majorPageFaults: memory.majorPageFaults,
      ...pressurePart(readMachinePressure('memory')),
    },
    io: { time, ...pressurePart(readMachinePressure('io')) },
    swap: {
      time,
      swapAvailableBytes: memory.swapTotalBytes - memory.swapUsageBytes,
      swapUsageBytes: memory.swapUsageBytes,
    },
    ...(onlyCpuAndMemory
      ? {}
      : {
          network: networkSummary(figures, time),
          fs: filesystemPart(filesystem, time),
          runtime: {
            imageFs: filesystemPart(images, time, imageUsage),
            containerFs: filesystemPart(images, time),
          },
          rlimit: { time, maxpid: figures.processes.most, curproc: figures.processes.running },
        }),
  };
}

function networkSummary({ interfaces }: NodeFigures, time: string) {
  const all = interfaces.map(({ name, rxBytes, rxErrors, txBytes, txErrors }) => ({
    ...{ name, rxBytes, rxErrors, txBytes, txErrors },
  }));
  const main = all.find(({ name }) => /^e(n|th)/.test(name)) ?? all[0];
  return { time, ...main, interfaces: all };
}

/** Nanoseconds of the processors that this process has taken. */
export function ownCpuNs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) * 1_000;
}

function systemContainers({ pods, startedAtMs, rates, figures }: NodeSummaryParts, time: string): object[] {
  const { minorPageFault, majorPageFault: majorPageFaults } = process.resourceUsage();
  const { rss } = process.memoryUsage();
  const kubelet = {
    name: 'kubelet',
    startTime: new Date(startedAtMs).toISOString(),
    cpu: cpuPart(rates.kubelet, ownCpuNs(), time),
    memory: {
      time,
      usageBytes: rss,
      workingSetBytes: rss,
      rssBytes: rss,
      pageFaults: minorPageFault + majorPageFaults,
      majorPageFaults,
    },
  };
  const all = pods && groupFigures(pods.layout, pods.path);
  if (!all) return [kubelet];
  const { cpuUsageNs, memoryUsageBytes, workingSetBytes, residentBytes } = all.stats;
  const availableBytes = Number.isFinite(all.stats.memoryLimitBytes)
    ? Math.max(0, all.stats.memoryLimitBytes - workingSetBytes)
    : Math.max(0, figures.memory.totalBytes - workingSetBytes);
  const ofPods = {
    name: 'pods',
    startTime: new Date(startedAtMs).toISOString(),
    cpu: cpuPart(rates.pods, cpuUsageNs, time),
    memory: {
      ...{ time, availableBytes, usageBytes: memoryUsageBytes, workingSetBytes },
      rssBytes: residentBytes,
      ...{ pageFaults: all.stats.pageFaults, majorPageFaults: all.stats.majorPageFaults },
    },
  };
  return [kubelet, ofPods];
}

function cpuPart(rate: CpuRate, cpuNs: number, time: string) {
  return { time, usageNanoCores: rate.read(cpuNs), usageCoreNanoSeconds: cpuNs };
}

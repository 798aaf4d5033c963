import { type CgroupLayout, readMachinePressure } from '@wherry/linux';
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

function systemContainers({ pods, startedAtMs, figures }: NodeSummaryParts, time: string): object[] {
  const { userCPUTime, systemCPUTime, maxRSS: _, ...faults } = process.resourceUsage();
  const { rss } = process.memoryUsage();
  const kubelet = {
    name: 'kubelet',
    startTime: new Date(startedAtMs).toISOString(),
    cpu: { time, usageCoreNanoSeconds: (userCPUTime + systemCPUTime) * 1_000 },
    memory: {
      time,
      usageBytes: rss,
      workingSetBytes: rss,
      rssBytes: rss,
      pageFaults: faults.minorPageFault + faults.majorPageFault,
      majorPageFaults: faults.majorPageFault,
    },
  };
  const all = pods && groupFigures(pods.layout, pods.path);
  if (!all) return [kubelet];
  const { cpuUsageNs, memoryUsageBytes, workingSetBytes, residentBytes, pageFaults, majorPageFaults } =
    all.stats;
  const availableBytes = Number.isFinite(all.stats.memoryLimitBytes)
    ? Math.max(0, all.stats.memoryLimitBytes - workingSetBytes)
    : Math.max(0, figures.memory.totalBytes - workingSetBytes);
  const ofPods = {
    name: 'pods',
    startTime: new Date(startedAtMs).toISOString(),
    cpu: { time, usageCoreNanoSeconds: cpuUsageNs },
    memory: {
      ...{ time, availableBytes, usageBytes: memoryUsageBytes, workingSetBytes },
      ...{ rssBytes: residentBytes, pageFaults, majorPageFaults },
    },
  };
  return [kubelet, ofPods];
}

import { readMachinePressure } from '@wherry/linux';
import type { FilesystemFigures, NodeFigures } from '../node-figures.ts';
import { filesystemPart, pressurePart } from './parts.ts';
import type { SystemContainers } from './system-containers.ts';

/** What the node's summary is made of. */
export interface NodeSummaryParts {
  nodeName: string;
  bootedAtMs: number;
  figures: NodeFigures;
  systemContainers: SystemContainers;
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
    systemContainers: parts.systemContainers.read(figures, onlyCpuAndMemory),
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
    swap: {
      time,
      swapAvailableBytes: memory.swapTotalBytes - memory.swapUsageBytes,
      swapUsageBytes: memory.swapUsageBytes,
    },
    ...(onlyCpuAndMemory
      ? {}
      : {
          io: { time, ...pressurePart(readMachinePressure('io')) },
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

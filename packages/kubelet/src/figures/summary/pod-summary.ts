import type { TreeUsage } from '@wherry/linux';
import { podLimit } from '@wherry/podrules';
import type { DiskFigures } from '../../execution/eviction/disk-meter.ts';
import { containersOf } from '../../pod/containers.ts';
import type { FilesystemFigures } from '../node-figures.ts';
import type { ContainerFigures, PodFigures } from '../pod-figures.ts';
import { sumOfSwap } from '../resource-page.ts';
import { cpuPart, filesystemPart, interfacePart, ioPart, isoTime, memoryPart, swapPart } from './parts.ts';

/** What is known of a pod's disk. */
export interface PodDisk {
  /** The node's file system: logs and volumes that have no other. */
  node: FilesystemFigures | undefined;
  /** That of images and containers' own files. */
  images: FilesystemFigures | undefined;
  /** Undefined while they are measured for the first time. */
  figures: DiskFigures | undefined;
  /** File systems of their own that volumes of the pod have, by name. */
  mounted: ReadonlyMap<string, FilesystemFigures>;
  logs: ReadonlyMap<string, TreeUsage>;
}

/** A pod that the runtime runs. Without `disk`, processors and memory alone. */
export function podSummary(figures: PodFigures, time: string, disk: PodDisk | undefined): object {
  const { uid, name, namespace, pod, stats, containers, startedAtNs } = figures;
  const { cpu, memory, io, process } = stats.linux ?? {};
  const podSwap = sumOfSwap(containers);
  return {
    podRef: { name, namespace, uid },
    startTime: startedAtNs === undefined ? null : isoTime(startedAtNs),
    containers: containers.map((container) => containerSummary(container, figures, disk)),
    cpu: cpu && cpuPart(cpu),
    memory: memory && memoryPart(memory, pod !== undefined && podLimit(pod, 'memory') !== undefined),
    swap:
      podSwap === undefined
        ? undefined
        : { time, swapAvailableBytes: sumOfSwap(containers, 'swapAvailableBytes'), swapUsageBytes: podSwap },
    ...(disk && {
      io: io && ioPart(io),
      network: networkSummary(figures),
      volume: volumeSummaries(figures, time, disk),
      'ephemeral-storage': filesystemPart(disk.node, time, ephemeralUsage(figures, disk)),
      process_stats: { process_count: process?.processCount?.value },
    }),
  };
}

function containerSummary(container: ContainerFigures, { pod }: PodFigures, disk: PodDisk | undefined) {
  const { name, stats, status } = container;
  const { cpu, memory, swap, io, writableLayer } = stats;
  const spec = pod && containersOf(pod).find((target) => target.container.name === name)?.container;
  const logs = disk?.logs.get(name);
  return {
    name,
    startTime: status && status.startedAt > 0n ? isoTime(status.startedAt) : null,
    cpu: cpu && cpuPart(cpu),
    memory: memory && memoryPart(memory, spec?.resources?.limits?.['memory'] !== undefined),
    swap: swap && swapPart(swap),
    ...(disk && { io: io && ioPart(io) }),
    ...(disk && writableLayer
      ? { rootfs: filesystemPart(disk.images, isoTime(writableLayer.timestamp), layerOf(container)) }
      : {}),
    ...(disk && logs && cpu ? { logs: filesystemPart(disk.node, isoTime(cpu.timestamp), logs) } : {}),
  };
}

function layerOf({ stats: { writableLayer } }: ContainerFigures): TreeUsage {
  return { bytes: writableLayer?.usedBytes?.value ?? 0, inodes: writableLayer?.inodesUsed?.value ?? 0 };
}

/** A pod in the node's network has no figures of its own. */
function networkSummary({ stats, pod }: PodFigures) {
  const network = stats.linux?.network;
  if (!network || pod?.spec.hostNetwork) return undefined;
  const { defaultInterface: main, interfaces, timestamp } = network;
  const all = [...(main ? [main] : []), ...interfaces].map(interfacePart);
  return { time: isoTime(timestamp), ...(main ? interfacePart(main) : {}), interfaces: all };
}

function volumeSummaries({ pod, namespace }: PodFigures, time: string, disk: PodDisk) {
  return (pod?.spec.volumes ?? []).flatMap(({ name, persistentVolumeClaim, ephemeral }) => {
    const own = disk.mounted.get(name);
    const used = disk.figures?.volumes.get(name);
    if (!own && !used) return [];
    const claim = ephemeral ? `${pod?.metadata.name}-${name}` : persistentVolumeClaim?.claimName;
    const figures = own ? filesystemPart(own, time) : filesystemPart(disk.node, time, used);
    return [{ name, ...figures, ...(claim ? { pvcRef: { name: claim, namespace } } : {}) }];
  });
}

/** What counts against a pod's ephemeral-storage limit. */
function ephemeralUsage({ containers }: PodFigures, { figures, logs }: PodDisk): TreeUsage {
  const parts = [
    ...containers.map(layerOf),
    ...logs.values(),
    ...(figures ? [...figures.volumes.values(), figures.ownFiles] : []),
  ];
  const sum = { bytes: 0, inodes: 0 };
  for (const { bytes, inodes } of parts) {
    sum.bytes += bytes;
    sum.inodes += inodes;
  }
  return sum;
}

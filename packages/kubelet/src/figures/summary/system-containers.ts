import { statSync } from 'node:fs';
import type { Clock } from '@wherry/clock';
import {
  type CgroupLayout,
  foldersOf,
  foldersOfProcess,
  type PressureResource,
  readPressure,
} from '@wherry/linux';
import type { SystemGroups } from '../../ground/system-groups.ts';
import { CpuRate } from '../cpu-rate.ts';
import type { NodeFigures } from '../node-figures.ts';
import { type GroupFigures, groupFigures } from '../pod-groups.ts';
import { pressurePart } from './parts.ts';

/** Where the parts of the system are; `pods` is the group above all of them. */
type Groups = SystemGroups & { pods: string };

/** What the parts of the system are read by. */
export interface SystemContainersOptions {
  clock: Clock;
  /** Undefined where no control groups are mounted. */
  layout: CgroupLayout | undefined;
  groups: Groups;
}

/** This process, the runtime, what is gathered beside them and all pods, as upstream's `systemContainers` (pkg/kubelet/server/stats/summary_sys_containers.go). */
export class SystemContainers {
  readonly #options: SystemContainersOptions;
  readonly #startedAtMs: number;
  readonly #rates: Record<keyof Groups, CpuRate>;

  constructor(options: SystemContainersOptions) {
    const { clock, groups } = options;
    this.#options = options;
    this.#startedAtMs = clock.nowMs();
    this.#rates = {
      kubelet: groups.kubelet === '' ? new CpuRate(clock, ownCpuNs()) : new CpuRate(clock),
      runtime: new CpuRate(clock),
      misc: new CpuRate(clock),
      pods: new CpuRate(clock),
    };
  }

  /** Those that can be told of. */
  read({ atMs, memory }: NodeFigures, onlyCpuAndMemory = false): object[] {
    const time = new Date(atMs).toISOString();
    const [own, runtime, misc, pods] = (['kubelet', 'runtime', 'misc', 'pods'] as const).map((name) =>
      this.#group(name),
    );
    const all: { io?: object }[] = [
      own
        ? this.#ofGroup('kubelet', own, { time, startedAtMs: this.#startedAtMs })
        : this.#ofThisProcess(time),
      ...(runtime ? [this.#ofGroup('runtime', runtime, { time })] : []),
      ...(misc ? [this.#ofGroup('misc', misc, { time })] : []),
      ...(pods ? [this.#ofGroup('pods', pods, { time, atMostBytes: memory.totalBytes })] : []),
    ];
    return onlyCpuAndMemory ? all.map(({ io: _, ...others }) => others) : all;
  }

  #group(name: keyof Groups): GroupFigures | undefined {
    const { layout, groups } = this.#options;
    return layout && groups[name] !== '' ? groupFigures(layout, groups[name]) : undefined;
  }

  #ofGroup(
    name: keyof Groups,
    { stats, folders }: GroupFigures,
    about: { time: string; startedAtMs?: number; atMostBytes?: number },
  ): object {
    const { time, startedAtMs, atMostBytes } = about;
    const madeMs = () => Math.min(...foldersOf(folders).map((folder) => statSync(folder).ctimeMs));
    const limitBytes = Math.min(stats.memoryLimitBytes, atMostBytes ?? Number.POSITIVE_INFINITY);
    const { swapLimitBytes = Number.POSITIVE_INFINITY, swapUsageBytes } = stats;
    const available = (name: string, limit: number, used: number) =>
      Number.isFinite(limit) ? { [name]: Math.max(0, limit - used) } : {};
    return {
      name,
      startTime: new Date(startedAtMs ?? madeMs()).toISOString(),
      ...this.#partsOf(name, folders.unified, {
        ...{ time, cpuNs: stats.cpuUsageNs, usageBytes: stats.memoryUsageBytes },
        ...{ workingSetBytes: stats.workingSetBytes, rssBytes: stats.residentBytes },
        ...{ pageFaults: stats.pageFaults, majorPageFaults: stats.majorPageFaults },
        ...available('availableBytes', limitBytes, stats.workingSetBytes),
      }),
      swap: { time, ...available('swapAvailableBytes', swapLimitBytes, swapUsageBytes), swapUsageBytes },
    };
  }

  #ofThisProcess(time: string): object {
    const { minorPageFault, majorPageFault: majorPageFaults } = process.resourceUsage();
    const { rss } = process.memoryUsage();
    const { layout } = this.#options;
    return {
      name: 'kubelet',
      startTime: new Date(this.#startedAtMs).toISOString(),
      ...this.#partsOf('kubelet', layout ? foldersOfProcess(layout, process.pid).unified : null, {
        ...{ time, cpuNs: ownCpuNs(), usageBytes: rss, workingSetBytes: rss, rssBytes: rss },
        ...{ pageFaults: minorPageFault + majorPageFaults, majorPageFaults },
      }),
    };
  }

  /** `unified` is where the group stands in the tree of version 2, which alone tells of pressure. */
  #partsOf(
    name: keyof Groups,
    unified: string | null,
    { time, cpuNs, ...memory }: { time: string; cpuNs: number } & Record<string, number | string>,
  ) {
    const pressure = (resource: PressureResource) => pressurePart(readPressure(unified, resource));
    const usageNanoCores = this.#rates[name].read(cpuNs);
    const io = pressure('io');
    return {
      cpu: { time, usageNanoCores, usageCoreNanoSeconds: cpuNs, ...pressure('cpu') },
      memory: { time, ...memory, ...pressure('memory') },
      ...(io && { io: { time, ...io } }),
    };
  }
}

/** Nanoseconds of the processors that this process has taken. */
function ownCpuNs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) * 1_000;
}

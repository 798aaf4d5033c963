import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import type { Clock } from '@wherry/clock';
import { ownValue } from '@wherry/kubeapi';
import {
  type CgroupLayout,
  detectCgroups,
  foldersAt,
  foldersOf,
  groupFilePath,
  Systemd,
  type UnitBounds,
  writeGroupFile,
} from '@wherry/linux';
import { ConfigurationError } from '../../configuration/configuration-error.ts';
import type { ReserveSettings } from '../../configuration/reserves/reserve-problems.ts';
import { amountOf, milliAmountOf } from '../../pod/amount.ts';
import { cpuShares } from '../../pod/cpu-shares.ts';
import { type GroupPlace, namedGroup } from '../../pod/group-path.ts';
import { type EventRecorder, nodeEvents } from '../../reporting/events/recorder.ts';
import { memoryFile, weightFile } from './group-files.ts';
import { shareOf } from './pod-group.ts';
import { unitBounds } from './unit-bounds.ts';

/** What the groups of the system and of Kubernetes are held to, and by whom. */
export interface ReservedGroupsOptions {
  configuration: ReserveSettings;
  place: Pick<GroupPlace, 'cgroupDriver'>;
  recorder: EventRecorder;
  nodeName: string;
  clock: Clock;
  /** Who keeps what slices are held to. Default: the machine's. */
  systemd?: Pick<Systemd, 'setBounds' | 'close'>;
  /** Where control groups are. Default: where the machine has them. */
  layout?: CgroupLayout;
}

const system = {
  owner: 'system',
  title: 'System',
  group: 'systemReservedCgroup',
  amounts: 'systemReserved',
} as const;
const kube = { owner: 'kube', title: 'Kube', group: 'kubeReservedCgroup', amounts: 'kubeReserved' } as const;

interface Reserve {
  of: typeof system | typeof kube;
  /** The processor's alone: what is taken too much of slows down, and ends nothing. */
  isCompressible: boolean;
}

/** In upstream's order. */
const reserves: ReadonlyMap<string, Reserve> = new Map([
  ['system-reserved', { of: system, isCompressible: false }],
  ['kube-reserved', { of: kube, isCompressible: false }],
  ['system-reserved-compressible', { of: system, isCompressible: true }],
  ['kube-reserved-compressible', { of: kube, isCompressible: true }],
]);

/** Whether groups beside that of the pods are held to something. */
export const hasReservedGroups = ({ enforceNodeAllocatable }: ReserveSettings): boolean =>
  enforceNodeAllocatable.some((level) => reserves.has(level));

/**
 * Holds the groups of `systemReservedCgroup` and `kubeReservedCgroup` to what is reserved for them, as `enforceNodeAllocatable`
 * says (pkg/kubelet/cm/node_container_manager_linux.go). They are somebody else's: none is made. Rejects with
 * {@link ConfigurationError} at the first that is not there or can not be held, which is an event, too.
 */
export async function holdReservedGroups(options: ReservedGroupsOptions): Promise<void> {
  const { configuration, recorder, nodeName } = options;
  const events = nodeEvents(recorder, nodeName);
  for (const [level, reserve] of reserves) {
    if (!configuration.enforceNodeAllocatable.includes(level)) continue;
    const { owner, title, group, amounts } = reserve.of;
    const name = configuration[group];
    try {
      await holdGroup(name, reserve, options);
      events.normal('NodeAllocatableEnforced', `Updated limits on ${owner} reserved cgroup ${name}`);
    } catch (error) {
      const what = `${title} Reserved${reserve.isCompressible ? ' Compressible' : ''}`;
      const told = `Failed to enforce ${what} Cgroup Limits on "${name}": ${(error as Error).message}`;
      events.warn('FailedNodeAllocatableEnforcement', told);
      throw new ConfigurationError([
        `${group}: ${told}; make that group before the kubelet starts, with room for ${amounts}, or take "${level}" from enforceNodeAllocatable`,
      ]);
    }
  }
}

async function holdGroup(
  name: string,
  { of, isCompressible }: Reserve,
  { configuration, place: { cgroupDriver }, clock, ...given }: ReservedGroupsOptions,
): Promise<void> {
  const layout = given.layout ?? detectCgroups();
  const path = namedGroup(cgroupDriver, name);
  const folders = foldersAt(layout, path);
  if (!foldersOf(folders).some((folder) => existsSync(folder)))
    throw new Error(`there is no control group ${path}`);
  const amounts = configuration[of.amounts];
  const bounds = boundsOf(isCompressible ? { cpu: ownValue(amounts, 'cpu') } : amounts);
  if (cgroupDriver === 'systemd') {
    const systemd = given.systemd ?? new Systemd({ clock });
    try {
      await systemd.setBounds(basename(path), asUnit(layout, bounds));
    } finally {
      systemd.close();
    }
  }
  const files = filesOf(layout, bounds);
  const paths = files.map(([file]) => groupFilePath(folders, file) ?? file);
  const missing = paths.filter((path) => !existsSync(path));
  if (missing.length > 0)
    throw new Error(`the control group ${path} lacks what it is held by, ${missing.join(' and ')}`);
  for (const [file, value] of files) writeGroupFile(folders, file, value);
}

/** Undefined is what nothing is reserved of. */
interface Bounds {
  shares: number | undefined;
  memoryBytes: number | undefined;
  processes: number | undefined;
}

function boundsOf(amounts: Readonly<Record<string, string | undefined>>): Bounds {
  const [cpu, memory, pid] = ['cpu', 'memory', 'pid'].map((resource) => ownValue(amounts, resource));
  return {
    shares: cpu === undefined ? undefined : cpuShares(milliAmountOf(cpu)),
    // Nothing at all of memory is no bound upstream, and no process at all one.
    memoryBytes: (memory !== undefined && Math.ceil(amountOf(memory))) || undefined,
    processes: pid === undefined ? undefined : Math.max(1, Math.ceil(amountOf(pid))),
  };
}

function filesOf(layout: CgroupLayout, { shares, memoryBytes, processes }: Bounds): [string, string][] {
  return [
    ...(memoryBytes === undefined ? [] : [[memoryFile(layout), String(memoryBytes)] as [string, string]]),
    ...(shares === undefined ? [] : [weightFile(layout, shares)]),
    ...(processes === undefined ? [] : [['pids.max', String(processes)] as [string, string]]),
  ];
}

function asUnit({ version }: CgroupLayout, { shares, memoryBytes, processes }: Bounds): UnitBounds {
  const isUnified = version === 'v2';
  const cpuShare = shares === undefined ? undefined : shareOf(isUnified, shares);
  const bounds = { cpuShare, memoryBytes, cpuQuotaUs: undefined };
  return {
    ...unitBounds(bounds, { isUnified, periodUs: 0 }),
    ...(processes !== undefined && { TasksMax: processes }),
  };
}

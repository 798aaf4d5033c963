import {
  type CgroupFigures,
  type CgroupFolders,
  type CgroupLayout,
  foldersAt,
  groupsIn,
  type InterfaceCounters,
  interfacesOfProcess,
  processesOf,
  readFigures,
} from '@wherry/linux';

/** One reading of a control group, and where it is. */
export interface GroupFigures extends CgroupFigures {
  /** Path below the mount points: `/kubepods/burstable/pod…`. */
  path: string;
  folders: CgroupFolders;
}

/** A pod's control group and those of its containers by their ID. */
export interface PodGroupFigures {
  pod: GroupFigures;
  containers: ReadonlyMap<string, GroupFigures>;
  /** Interfaces as the pod sees them; none when no process of it is left. */
  interfaces: readonly InterfaceCounters[];
}

/** Reads the group at a path; undefined when there is none. */
export function groupFigures(layout: CgroupLayout, path: string): GroupFigures | undefined {
  const folders = foldersAt(layout, path);
  const figures = readFigures(folders);
  return figures ? { ...figures, path, folders } : undefined;
}

/**
 * Reads the groups of a pod: its own, and below it those that carry a container's ID in their name, whatever the runtime puts
 * around it. Undefined when the pod has no group.
 */
export function podGroupFigures(
  layout: CgroupLayout,
  path: string,
  containerIds: readonly string[],
): PodGroupFigures | undefined {
  const pod = groupFigures(layout, path);
  if (!pod) return undefined;
  const names = groupsIn(oneTree(pod.folders));
  const containers = new Map<string, GroupFigures>();
  for (const id of containerIds) {
    const name = names.find((candidate) => candidate.includes(id));
    const figures = name === undefined ? undefined : groupFigures(layout, `${path}/${name}`);
    if (figures) containers.set(id, figures);
  }
  return { pod, containers, interfaces: interfacesOf(containers.values()) };
}

/** The same groups stand in each tree of cgroup v1: one is enough to know their names. */
function oneTree({ controllers, unified }: CgroupFolders): CgroupFolders {
  const memory = controllers.get('memory');
  return memory === undefined
    ? { controllers: new Map(), unified }
    : { controllers: new Map([['memory', memory]]), unified: null };
}

/** By the first process that still runs: all containers of a pod share its interfaces. */
function interfacesOf(containers: Iterable<GroupFigures>): InterfaceCounters[] {
  for (const { folders } of containers) {
    const [pid] = processesOf(folders);
    if (pid === undefined) continue;
    try {
      return interfacesOfProcess(pid);
    } catch {
      // It ended meanwhile; another container's process sees the same.
    }
  }
  return [];
}

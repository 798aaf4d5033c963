import { existsSync, readdirSync, rmdirSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { sleep, systemClock } from '@wherry/clock';
import {
  detectCgroups,
  foldersAt,
  hasCode,
  isSystemdBooted,
  killGroup,
  RouteNetlink,
  readMountInfo,
  removeGroup,
  removeTable,
  Systemd,
  unmount,
  withdrawForwarded,
} from '@wherry/linux';
import { endKeepers } from '@wherry/monitor';
import { clearStage } from '@wherry/runtime';
import { NodeError } from '../errors.ts';
import { type NodeLayout, roles } from '../layout/layout.ts';
import { releasePodRange } from '../machine/pod-range.ts';

const cgroupAttempts = 40;
const cgroupPauseMs = 50;

/** Files and folders that a node makes in its data folder; nothing else in there is ever removed. */
const ownEntries = [...roles, 'pki', 'logs', 'volumes', 'kubeconfig', 'node.json', 'registries'];

/** True when a folder looks like a node's, so that `--purge` can't empty a folder given by mistake. */
export function isNodeFolder(layout: NodeLayout): boolean {
  return existsSync(layout.recordFile) || roles.some((role) => existsSync(layout.roleDir(role)));
}

/** Removes mounts, cgroups, bridge, nftables tables and files of a node whose processes have ended. */
export async function purgeNode(layout: NodeLayout): Promise<void> {
  clearStage(layout.bridgeName);
  unmountAll(layout);
  await removeCgroups(layout);
  // A monitor that was killed ends nothing: what kept its containers for the next one has nothing to keep any more.
  endKeepers(layout.roleDir('monitor'));
  removeBridge(layout);
  await removeRules(layout);
  releasePodRange(layout);
  const drafts = readdirSync(layout.dataDir).filter((name) => /^(kubeconfig|node\.json)\..*tmp$/.test(name));
  for (const entry of [...ownEntries, ...drafts])
    rmSync(join(layout.dataDir, entry), { recursive: true, force: true });
  rmSync(layout.shortLink, { force: true });
  for (const folder of [layout.nodesDir, layout.dataDir]) removeIfEmpty(folder);
}

/** The last mounted goes first; each is detached, so that one still in use does not keep the others. */
function unmountAll(layout: NodeLayout): void {
  const inside = readMountInfo().filter(({ mountPoint }) => mountPoint.startsWith(`${layout.dataDir}/`));
  for (const { mountPoint } of inside.reverse()) unmount(mountPoint, { detach: true });
}

/** A cgroup can be removed only after the kernel has buried its last process, which takes moments. */
async function removeCgroups({ cgroupRoot, sliceRoot }: NodeLayout): Promise<void> {
  await removeCgroup(cgroupRoot, async () => {});
  const { controllers, unified } = foldersAt(detectCgroups(), sliceRoot);
  const isThere = [...controllers.values(), unified ?? ''].some((folder) => existsSync(folder));
  if (!isThere || !isSystemdBooted()) return;
  const systemd = new Systemd({ clock: systemClock });
  try {
    await removeCgroup(sliceRoot, () => systemd.stop(basename(sliceRoot)));
  } finally {
    systemd.close();
  }
}

async function removeCgroup(path: string, end: () => Promise<void>): Promise<void> {
  const folders = foldersAt(detectCgroups(), path);
  for (let attempt = 1; ; attempt += 1) {
    killGroup(folders);
    await end();
    try {
      removeGroup(folders);
      return;
    } catch (error) {
      if (attempt === cgroupAttempts) {
        throw new NodeError('busy', `removing cgroup "${path}": ${(error as Error).message}`, {
          cause: error,
        });
      }
    }
    await sleep({ clock: systemClock, delayMs: cgroupPauseMs });
  }
}

/** The bridge, and what pods left on it: ends of their cables, and the detours of those whose bandwidth was limited. */
function removeBridge(layout: NodeLayout): void {
  const netlink = new RouteNetlink();
  try {
    const links = netlink.links();
    for (const { name, kind, alias } of links)
      if (kind === 'ifb' && alias === layout.bridgeName) netlink.deleteLink(name);
    const bridge = links.find(({ name }) => name === layout.bridgeName);
    if (!bridge) return;
    for (const link of links) if (link.masterIndex === bridge.index) netlink.deleteLink(link.name);
    netlink.deleteLink(layout.bridgeName);
  } finally {
    netlink.close();
  }
}

async function removeRules(layout: NodeLayout): Promise<void> {
  for (const family of ['ip', 'ip6'] as const) await withdrawForwarded(family, layout.bridgeName);
  const own = `wherry-${layout.bridgeName}`;
  const tables = (['ip', 'ip6'] as const).flatMap((family) =>
    ['', '-services', '-services-next', '-policies'].map((part) => ({ family, name: `${own}${part}` })),
  );
  for (const table of [...tables, { family: 'bridge', name: own } as const]) removeTable(table);
}

/** A folder that something is mounted on, such as a container's volume, stays. */
function removeIfEmpty(folder: string): void {
  if (!existsSync(folder) || readdirSync(folder).length > 0) return;
  try {
    rmdirSync(folder);
  } catch (error) {
    if (!hasCode(error, 'EBUSY')) throw error;
  }
}

import { hostname } from 'node:os';
import { isDeepStrictEqual } from 'node:util';
import { shownJson } from '@wherry/bytes';
import { currentBoot, isSystemdBooted } from '@wherry/linux';
import { NodeError } from '../errors.ts';
import type { NodeLayout } from '../layout/layout.ts';
import { nodeNameProblem } from '../layout/node-name.ts';
import type { CniFolders, NodeRecord } from '../layout/record.ts';
import type { NodeSettings } from '../layout/settings.ts';
import { choosePort, primaryAddress, primaryAddressV6 } from '../machine/host-network.ts';
import { claimPodRange, claimPodRanges } from '../machine/pod-range.ts';
import { wantedPodRanges } from '../machine/wanted-pod-ranges.ts';
import { serverOf } from './members.ts';

/** What may be chosen about a new node; an existing one keeps what it has. */
export interface NodeChoices {
  /** The node's name, a DNS subdomain. Default: the host name in lower case. */
  name?: string | undefined;
  /** The API server's port, 0 for any. Default: 6443, or any when that is taken. */
  apiPort?: number | undefined;
  /** The kubelet's port, 0 for any. Default: 10250, or any when that is taken or when it joins another's cluster. */
  kubeletPort?: number | undefined;
  /**
   * Folder that says how registries are reached and mirrored (containerd's `HOST/hosts.toml`). A node that runs takes it
   * over by a new runtime process. Default: what the node was given before.
   */
  registryConfig?: string | undefined;
  /** Pods are connected by CNI plug-ins. Default: what the node has, and a new one the built-in network. */
  cni?: CniFolders | undefined;
  /**
   * Ranges of a new node's pods, `10.244.0.0/24,fd00:10:244::/64`: one of IPv4, or one of each family behind it. Default: a
   * free /24 of 10.88.0.0/16 or, where none is left, of 10.67.0.0/16.
   */
  podCidr?: string | undefined;
  /** The node whose cluster it joins, as one without an API server of its own. Default: none. */
  joins?: NodeLayout | undefined;
  /** Names of nodes that are to join its cluster, beside those that have. Default: none. */
  members?: readonly string[] | undefined;
  /** What else it is told; a node that runs takes it over by new processes. Default: what it was told before. */
  settings?: NodeSettings | undefined;
}

const defaultApiPort = 6443;
const defaultKubeletPort = 10250;

/** The ports of a node's servers; 0 for one that is known once it listens. */
export interface NodePorts {
  apiPort: number;
  kubeletPort: number;
}

/**
 * Ports that are free now, those that were asked for by number among them; the API server's of a cluster that is joined.
 * Throws `NodeError` `port-taken` or `not-ready`.
 */
export async function choosePorts(
  layout: NodeLayout,
  { apiPort, kubeletPort, joins }: NodeChoices,
): Promise<NodePorts> {
  return {
    apiPort: joins
      ? serverOf(layout, joins.dataDir).apiPort
      : await choosePort(apiPort ?? defaultApiPort, apiPort !== undefined, '--api-port'),
    kubeletPort: await choosePort(
      // The usual one is the first node's, which may not listen yet.
      kubeletPort ?? (joins ? 0 : defaultKubeletPort),
      kubeletPort !== undefined,
      '--kubelet-port',
    ),
  };
}

const textOf = (podCidr: string) => wantedPodRanges(podCidr).join(',');

function podRangeOf(layout: NodeLayout, podCidr: string | undefined): string {
  if (podCidr === undefined) return claimPodRange(layout);
  const ranges = wantedPodRanges(podCidr);
  claimPodRanges(layout, ranges);
  return ranges.join(',');
}

/** The record of a node that is yet to start. Throws `NodeError` `bad-name`, `bad-settings` or `no-pod-range`. */
export function newRecord(
  layout: NodeLayout,
  { name: wanted, cni, podCidr, joins, settings }: NodeChoices,
  ports: NodePorts,
): NodeRecord {
  const name = wanted ?? hostname().toLowerCase();
  const problem = nodeNameProblem(name);
  if (problem !== undefined) {
    const [origin, help] = wanted === undefined ? [', the host name,', '; choose one with --name'] : ['', ''];
    throw new NodeError('bad-name', `"${name}"${origin} can't name the node: ${problem}${help}`);
  }
  const range = podRangeOf(layout, podCidr);
  const nodeIpV6 = range.includes(':') ? primaryAddressV6() : undefined;
  return {
    version: 1,
    name,
    nodeIp: primaryAddress(),
    ...(nodeIpV6 !== undefined && { nodeIpV6 }),
    ...ports,
    bridgeName: layout.bridgeName,
    podCidr: range,
    ...cgroupsOf(layout, settings),
    ...(cni && { cni }),
    ...(joins && { joins: joins.dataDir }),
    bootId: currentBoot(),
    processes: {},
  };
}

/** Who makes the cgroups of a new node, and where. */
function cgroupsOf(
  layout: NodeLayout,
  settings: NodeSettings | undefined,
): Pick<NodeRecord, 'cgroupRoot' | 'cgroupDriver'> {
  const driver = settings?.kubelet?.['cgroupDriver'] ?? 'cgroupfs';
  if (driver === 'cgroupfs') return { cgroupRoot: layout.cgroupRoot };
  if (driver !== 'systemd')
    throw new NodeError(
      'bad-settings',
      `kubelet.cgroupDriver ${shownJson(driver)}: want cgroupfs or systemd`,
    );
  if (isSystemdBooted()) return { cgroupRoot: layout.sliceRoot, cgroupDriver: driver };
  throw new NodeError(
    'bad-settings',
    'kubelet.cgroupDriver systemd: systemd has not started this machine (there is no /run/systemd/system); leave it out',
  );
}

/** Throws `NodeError` where something else is asked for than the existing node has. */
export function refuseChanges(
  existing: NodeRecord | undefined,
  { name, apiPort, kubeletPort, cni, podCidr, joins, settings }: NodeChoices,
): void {
  if (!existing) return;
  const driver = settings?.kubelet?.['cgroupDriver'];
  const existingDriver = existing.cgroupDriver ?? 'cgroupfs';
  const conflicts = [
    name !== undefined && name !== existing.name && `name ${existing.name}`,
    apiPort && apiPort !== existing.apiPort && `API port ${existing.apiPort}`,
    kubeletPort && kubeletPort !== existing.kubeletPort && `kubelet port ${existing.kubeletPort}`,
    podCidr !== undefined && textOf(podCidr) !== existing.podCidr && `pod range ${existing.podCidr}`,
    joins && joins.dataDir !== existing.joins && clusterOf(existing),
    driver !== undefined && driver !== existingDriver && `the cgroup driver ${existingDriver}`,
    cni && !isDeepStrictEqual(cni, existing.cni) && networkOf(existing),
  ].filter((conflict) => typeof conflict === 'string');
  if (conflicts.length === 0) return;
  throw new NodeError(
    'conflict',
    `the node in this folder has ${conflicts.join(' and ')}; "wherry down --purge" it first`,
  );
}

const clusterOf = ({ joins }: NodeRecord) =>
  joins === undefined ? 'an API server of its own' : `the API server of "${joins}"`;

const networkOf = ({ cni }: NodeRecord) =>
  cni
    ? `CNI networks of "${cni.confDir}" with plug-ins of "${cni.binDirs.join(',')}"`
    : 'the built-in pod network';

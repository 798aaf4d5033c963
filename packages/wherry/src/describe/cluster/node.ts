import { kinds } from '@wherry/client';
import { hasReason, type Lease, type Node, type Pod, StatusError } from '@wherry/kubeapi';
import type { Surroundings } from '../surroundings.ts';
import { metadataLines } from '../text/labels.ts';
import { columns, field, given, type Lines, section, stacked } from '../text/lines.ts';
import { clockTime } from '../text/times.ts';
import { amounts, sortedBy } from '../text/values.ts';
import { nodeResourceLines } from './node-resources.ts';
import { sliceLines } from './resource-slices.ts';

/** A node: how it is, what it has, and what its pods take of it. */
export async function describeNode(node: Node, surroundings: Surroundings): Promise<Lines> {
  const { metadata, spec, status } = node;
  const { name = '', uid } = metadata;
  const pods = await podsOn(name, surroundings);
  const subject = { name, namespace: '', kind: 'Node' };
  return [
    field('Name', name),
    field('Roles', rolesOf(node).join(',') || '<none>'),
    ...metadataLines(metadata),
    field('CreationTimestamp', clockTime(metadata.creationTimestamp)),
    ...taintLines(node),
    field('Unschedulable', spec?.unschedulable ?? false),
    ...(await leaseLines(name, surroundings)),
    ...conditionLines(node),
    ...section(
      'Addresses',
      (status?.addresses ?? []).map(({ type, address }) => field(type, address)),
    ),
    ...amountLines('Capacity', status?.capacity),
    ...amountLines('Allocatable', status?.allocatable),
    ...(await sliceLines(name, surroundings)),
    ...systemLines(node),
    ...given('PodCIDR', spec?.podCIDR),
    ...given('PodCIDRs', spec?.podCIDRs?.join(',')),
    ...given('ProviderID', spec?.providerID),
    ...(pods ? nodeResourceLines(node, pods) : [field('Pods', 'not authorized')]),
    // Kubelets do not know their node's UID, and give its name.
    ...(await surroundings.eventsOf({ ...subject, uid }, { ...subject, uid: name })),
  ];
}

/** The pods that may still run there; undefined where pods may not be read. */
async function podsOn(node: string, surroundings: Surroundings): Promise<Pod[] | undefined> {
  const fieldSelector = `spec.nodeName=${node},status.phase!=Succeeded,status.phase!=Failed`;
  try {
    return await surroundings.list(kinds.pods, { fieldSelector });
  } catch (error) {
    if (hasReason(error, 'Forbidden')) return undefined;
    throw error;
  }
}

const rolePrefix = 'node-role.kubernetes.io/';

function rolesOf({ metadata }: Node): string[] {
  const roles = Object.entries(metadata.labels ?? {}).map(([key, value]) =>
    key.startsWith(rolePrefix) ? key.slice(rolePrefix.length) : key === 'kubernetes.io/role' ? value : '',
  );
  return sortedBy([...new Set(roles.filter((role) => role !== ''))], (role) => role);
}

function taintLines({ spec }: Node): Lines {
  const ordered = sortedBy(spec?.taints, ({ effect, key }) => `${effect},${key}`);
  const texts = ordered.map(({ key, value, effect }) => `${key}${value ? `=${value}` : ''}:${effect}`);
  return stacked('Taints', texts);
}

async function leaseLines(name: string, surroundings: Surroundings): Promise<Lines> {
  try {
    const lease = await surroundings.get(kinds.leases, { name, namespace: 'kube-node-lease' });
    return section('Lease', heldLines(lease));
  } catch (error) {
    if (error instanceof StatusError) return [field('Lease', `Failed to get lease: ${error.message}`)];
    throw error;
  }
}

const timeOrUnset = (time: string | undefined): string => (time ? clockTime(time) : '<unset>');

const heldLines = ({ spec: { holderIdentity, acquireTime, renewTime } = {} }: Lease): Lines => [
  field('HolderIdentity', holderIdentity ?? '<unset>'),
  field('AcquireTime', timeOrUnset(acquireTime)),
  field('RenewTime', timeOrUnset(renewTime)),
];

function conditionLines({ status }: Node): Lines {
  const conditions = status?.conditions ?? [];
  if (conditions.length === 0) return [];
  const titles = ['Type', 'Status', 'LastHeartbeatTime', 'LastTransitionTime', 'Reason', 'Message'];
  const rows = conditions.map(({ type, status, lastHeartbeatTime, lastTransitionTime, reason, message }) => [
    ...[`${type} `, `${status} `, `${clockTime(lastHeartbeatTime)} `, `${clockTime(lastTransitionTime)} `],
    ...[`${reason ?? ''} `, message],
  ]);
  return section('Conditions', columns(titles, rows));
}

const amountLines = (title: string, list: Record<string, string> | undefined): Lines =>
  Object.keys(list ?? {}).length === 0 ? [] : section(title, amounts(list));

function systemLines({ status }: Node): Lines {
  const info = status?.nodeInfo;
  return section('System Info', [
    field('Machine ID', info?.machineID),
    field('System UUID', info?.systemUUID),
    field('Boot ID', info?.bootID),
    field('Kernel Version', info?.kernelVersion),
    field('OS Image', info?.osImage),
    field('Operating System', info?.operatingSystem),
    field('Architecture', info?.architecture),
    field('Container Runtime Version', info?.containerRuntimeVersion),
    field('Kubelet Version', info?.kubeletVersion),
  ]);
}

import { readFileSync } from 'node:fs';
import { currentBoot, isAlive, type ProcessIdentity, writeRecord as writePadded } from '@wherry/linux';
import { NodeError } from '../errors.ts';
import { namingFullDisk } from './full-disk.ts';
import { defaultDataDir, type NodeLayout, type Role } from './layout.ts';
import type { NodeSettings } from './settings.ts';

/** Absolute paths of CNI's folders. */
export interface CniFolders {
  /** Its first file by name is the pods' network. */
  confDir: string;
  binDirs: readonly string[];
}

/** What a node is, kept in `DIR/node.json` so that any later command finds it again. */
export interface NodeRecord {
  version: 1;
  name: string;
  nodeIp: string;
  /** Its address of IPv6, where its pods have such and it had one when it was made. */
  nodeIpV6?: string | undefined;
  apiPort: number;
  kubeletPort: number;
  bridgeName: string;
  /** Range of its pods, IPv4; one of IPv6 may stand behind a comma. */
  podCidr: string;
  cgroupRoot: string;
  /** systemd makes its cgroups; absent where it makes them itself. */
  cgroupDriver?: 'systemd' | undefined;
  /** Folder that says how registries are reached; absent when image names say. */
  registryConfig?: string | undefined;
  /** Where the parts of its pods' CNI network are; absent for the built-in network. */
  cni?: CniFolders | undefined;
  /** The folder of the node whose cluster it joined; absent for one with an API server of its own. */
  joins?: string | undefined;
  /** Names of the nodes that joined the cluster of this one. */
  members?: readonly string[];
  /** What it was told beyond that. */
  settings?: NodeSettings;
  /** The boot that the processes' start times count from. */
  bootId: string;
  processes: Partial<Record<Role, RoleProcess>>;
}

/** A process of the node. */
export interface RoleProcess extends ProcessIdentity {
  /** Which program it runs, as `programSign` has it; absent where a version before that started it. */
  program?: string | undefined;
}

/** The API server's URL as this machine reaches it; a node that joined another's cluster has that one's port. */
export const apiUrlOf = (record: NodeRecord): string => `https://127.0.0.1:${record.apiPort}`;

/** The name of the node's cluster, user and context in kubeconfigs: `wherry` for the one in the usual folder. */
export const contextNameOf = ({ dataDir }: NodeLayout, { name }: Pick<NodeRecord, 'name'>): string =>
  dataDir === defaultDataDir ? 'wherry' : `wherry-${name}`;

/** The kubelet's URL as this machine reaches it. */
export const kubeletUrlOf = (record: NodeRecord): string => `https://127.0.0.1:${record.kubeletPort}`;

/** The record of the node in that folder, or undefined when there is none. Throws when it can't be read. */
export function readRecord(layout: NodeLayout): NodeRecord | undefined {
  let text: string;
  try {
    text = readFileSync(layout.recordFile, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return undefined;
    if (code === 'EACCES') {
      throw new NodeError(
        'not-permitted',
        `"${layout.dataDir}" belongs to another user; run this with sudo`,
        {
          cause: error,
        },
      );
    }
    throw new NodeError('bad-record', `reading "${layout.recordFile}": ${(error as Error).message}`, {
      cause: error,
    });
  }
  const record = parseRecord(text);
  if (!record) {
    throw new NodeError(
      'bad-record',
      `"${layout.recordFile}" is not a node record of this version; "wherry down --purge" removes the node`,
    );
  }
  return record;
}

function parseRecord(text: string): NodeRecord | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const isRecord = typeof value === 'object' && value !== null && 'version' in value && value.version === 1;
    return isRecord ? (value as NodeRecord) : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Replaces the record, so that a reader never sees half of it: also on a full disk, since the identities of processes that were
 * started must be known to whoever ends them. Throws `NodeError` `disk-full` where the record of before is too small for that.
 * Processes do not outlive the machine: where nothing else has changed, nor need what tells of them.
 */
export function writeRecord(layout: NodeLayout, record: NodeRecord, { outlivesMachine = true } = {}): void {
  const text = `${JSON.stringify(record, null, 2)}\n`;
  namingFullDisk(layout.recordFile, () => writePadded(layout.recordFile, text, { outlivesMachine }));
}

/** True when the recorded process of that role is still the same and alive. */
export function isRunning(record: NodeRecord, role: Role): boolean {
  const identity = record.processes[role];
  return identity !== undefined && record.bootId === currentBoot() && isAlive(identity);
}

/**
 * The address of the machine by which its pods know it: in their network; with CNI, whose plug-ins choose that one and make
 * it with the first pod, the node's own.
 */
export function gatewayOf({ podCidr, cni, nodeIp }: NodeRecord): string {
  if (cni) return nodeIp;
  const [network = ''] = podCidr.split('/');
  // No network of pods ends on an odd address.
  return network.replace(/\d+$/, (last) => `${Number(last) + 1}`);
}

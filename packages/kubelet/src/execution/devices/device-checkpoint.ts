import { readFileSync } from 'node:fs';
import { messageCodec } from '@wherry/cri/grpc';
import { writeFileAtomicSync } from '@wherry/linux';
import { type ContainerAllocateResponse, messages } from '../../generated/device-plugin.ts';
import { fnv1a32 } from '../../pod/container-hash.ts';
import type { GrantEntry } from './device-grants.ts';

/** What outlives the kubelet. */
export interface DeviceRecord {
  grants: readonly GrantEntry[];
  /** Healthy devices by resource. */
  registered: ReadonlyMap<string, readonly string[]>;
}

interface StoredGrant {
  PodUID: string;
  ContainerName: string;
  ResourceName: string;
  DeviceIDs: Record<string, string[]>;
  /** Base64 of the plug-in's answer. */
  AllocResp: string;
}

interface Stored {
  PodDeviceEntries: StoredGrant[] | null;
  RegisteredDevices: Record<string, string[]>;
}

const codec = messageCodec(messages);
const responseType = 'ContainerAllocateResponse';

/**
 * Reads the file in upstream's form, so that either kubelet can take over from the other. Undefined where there is none.
 * Throws for one that can't be understood.
 */
export function readDeviceCheckpoint(path: string): DeviceRecord | undefined {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  const { Data, Checksum } = JSON.parse(text) as { Data: Stored; Checksum: number };
  const actual = checksumOf(Data);
  if (Checksum !== actual) throw new Error(`checkpoint is corrupted: its checksum is not ${actual}`);
  return {
    grants: (Data.PodDeviceEntries ?? []).map(grantOf),
    registered: new Map(Object.entries(Data.RegisteredDevices ?? {})),
  };
}

/** Writes it, whole or not at all. */
export function writeDeviceCheckpoint(path: string, record: DeviceRecord): void {
  const entries = record.grants.map(storedGrant);
  const data: Stored = {
    PodDeviceEntries: entries.length === 0 ? null : entries,
    RegisteredDevices: Object.fromEntries([...record.registered].map(([name, ids]) => [name, [...ids]])),
  };
  const text = JSON.stringify({ Data: data, Checksum: checksumOf(data) });
  writeFileAtomicSync(path, text);
}

function storedGrant({ uid, container, resource, grant }: GrantEntry): StoredGrant {
  const byNode = [...grant.idsByNode].map(([node, ids]) => [String(node), [...ids]]);
  return {
    PodUID: uid,
    ContainerName: container,
    ResourceName: resource,
    DeviceIDs: Object.fromEntries(byNode),
    AllocResp: Buffer.from(codec.encode(responseType, grant.response)).toString('base64'),
  };
}

function grantOf({ PodUID, ContainerName, ResourceName, DeviceIDs, AllocResp }: StoredGrant): GrantEntry {
  const idsByNode = new Map(Object.entries(DeviceIDs ?? {}).map(([node, ids]) => [Number(node), ids]));
  const message: unknown = codec.decode(responseType, Buffer.from(AllocResp, 'base64'));
  const response = message as ContainerAllocateResponse;
  return { uid: PodUID, container: ContainerName, resource: ResourceName, grant: { idsByNode, response } };
}

/** FNV-1a over the data as Go's dump prints the structs behind it (k8s.io/utils/dump). */
function checksumOf({ PodDeviceEntries, RegisteredDevices }: Stored): number {
  const grants = PodDeviceEntries ? `[${PodDeviceEntries.map(printedGrant).join(' ')}]` : '<nil>';
  const registered = RegisteredDevices ? printedMap(RegisteredDevices, byBytes) : '<nil>';
  const fields = [
    `PodDeviceEntries:([]checkpoint.PodDevicesEntry)${grants}`,
    `RegisteredDevices:(map[string][]string)${registered}`,
  ];
  return fnv1a32(Buffer.from(`(checkpoint.checkpointData){${fields.join(' ')}}`, 'utf8'));
}

function printedGrant({ PodUID, ContainerName, ResourceName, DeviceIDs, AllocResp }: StoredGrant): string {
  const fields = [
    `PodUID:(string)${PodUID}`,
    `ContainerName:(string)${ContainerName}`,
    `ResourceName:(string)${ResourceName}`,
    `DeviceIDs:(checkpoint.DevicesPerNUMA)${printedMap(DeviceIDs, (a, b) => Number(a) - Number(b))}`,
    `AllocResp:([]uint8)[${Buffer.from(AllocResp, 'base64').join(' ')}]`,
  ];
  return `{${fields.join(' ')}}`;
}

function printedMap(
  map: Readonly<Record<string, readonly string[] | null>>,
  inOrder: (a: string, b: string) => number,
) {
  const entries = Object.entries(map).sort(([a], [b]) => inOrder(a, b));
  return `map[${entries.map(([key, ids]) => `${key}:${ids ? `[${ids.join(' ')}]` : '<nil>'}`).join(' ')}]`;
}

const byBytes = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));

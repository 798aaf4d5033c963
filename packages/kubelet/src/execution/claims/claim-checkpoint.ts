import { readFileSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { writeFileAtomicSync } from '@wherry/linux';
import type { PreparedClaim } from './prepared-claim.ts';

interface StoredDevice {
  PoolName: string;
  DeviceName: string;
  ShareID: string | null;
  RequestNames: string[] | null;
  CDIDeviceIDs: string[] | null;
}

interface StoredClaim {
  ClaimUID: string;
  ClaimName: string;
  Namespace: string;
  PodUIDs: Record<string, object> | null;
  DriverState: Record<string, { Devices: StoredDevice[] | null }> | null;
}

const header = { kind: 'DRACheckpoint', apiVersion: 'checkpoint.dra.kubelet.k8s.io/v1' };

/**
 * Reads the record of claims in upstream's form (pkg/kubelet/cm/dra/state), so that either kubelet can take over from the
 * other; none where there is no file. Throws for one that can't be understood.
 */
export function readClaimCheckpoint(path: string): PreparedClaim[] {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
  const { Data, Checksum } = JSON.parse(text) as { Data: string; Checksum: number };
  const actual = crc32(Data);
  if (Checksum !== actual) throw new Error(`checkpoint is corrupted: its checksum is not ${actual}`);
  const { ClaimInfoStateList } = JSON.parse(Data) as { ClaimInfoStateList: StoredClaim[] | null };
  return (ClaimInfoStateList ?? []).map(claimOf);
}

/** Writes it, whole or not at all. */
export function writeClaimCheckpoint(path: string, claims: readonly PreparedClaim[]): void {
  const data = JSON.stringify({ ...header, ClaimInfoStateList: claims.map(storedClaim) });
  writeFileAtomicSync(path, JSON.stringify({ Data: data, Checksum: crc32(data) }));
}

function storedClaim({ uid, name, namespace, pods, devices }: PreparedClaim): StoredClaim {
  const drivers = [...devices].map(([driver, each]) => [
    driver,
    {
      Devices: each.map(({ poolName, deviceName, shareId, requestNames, cdiDeviceIds }) => ({
        PoolName: poolName,
        DeviceName: deviceName,
        ShareID: shareId || null,
        RequestNames: requestNames,
        CDIDeviceIDs: cdiDeviceIds,
      })),
    },
  ]);
  return {
    ClaimUID: uid,
    ClaimName: name,
    Namespace: namespace,
    PodUIDs: Object.fromEntries([...pods].map((pod) => [pod, {}])),
    DriverState: Object.fromEntries(drivers),
  };
}

function claimOf({ ClaimUID, ClaimName, Namespace, PodUIDs, DriverState }: StoredClaim): PreparedClaim {
  const drivers = Object.entries(DriverState ?? {}).map(([driver, { Devices }]) => {
    const devices = (Devices ?? []).map((device) => ({
      poolName: device.PoolName,
      deviceName: device.DeviceName,
      shareId: device.ShareID ?? '',
      requestNames: device.RequestNames ?? [],
      cdiDeviceIds: device.CDIDeviceIDs ?? [],
    }));
    return [driver, devices] as const;
  });
  return {
    uid: ClaimUID,
    name: ClaimName,
    namespace: Namespace,
    pods: new Set(Object.keys(PodUIDs ?? {})),
    devices: new Map(drivers),
  };
}

import { chmod, chown, mkdir, readFile, stat, unlink, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { EmptyDirVolumeSource } from '@wherry/kubeapi';
import { amountOf } from '../pod/amount.ts';
import type { AssignedPod } from '../pod/assigned-pod.ts';
import { podLimit } from '../pod/pod-resources.ts';
import type { NodePaths } from '../runtime/node-paths.ts';
import { isMountPoint, makeMemoryFolder } from './memory-folder.ts';

/** An emptyDir to be put in place. */
export interface EmptyDirRequest {
  pod: AssignedPod;
  name: string;
  source: EmptyDirVolumeSource;
  paths: NodePaths;
  /** Memory that this node gives to pods; 0 where it is not known. */
  nodeMemoryBytes: number;
  /** Memory-backed folders are not to be had here. */
  onDiskInstead(): void;
}

const plugin = 'empty-dir';
const everyone = 0o777;
/** What an fsGroup adds to a folder's mode: read, write and enter for the group, which new files inherit. */
const groupBits = 0o2770;

/**
 * Makes an emptyDir once and gives back its path; mode and group are then its users' business, so a marker beside the
 * pod's volumes says that they were set. One that is in memory is made anew after a restart of the machine.
 */
export async function placeEmptyDir(request: EmptyDirRequest): Promise<string> {
  const { pod, name, paths, source } = request;
  const { medium = '' } = source;
  if (medium !== '' && medium !== 'Memory')
    throw new Error(`emptyDir medium "${medium}" is not supported by this kubelet`);
  const folder = paths.volumeDir(pod.metadata.uid, plugin, name);
  const marker = paths.volumeMarker(pod.metadata.uid, plugin, name);
  const made = await readFile(marker, 'utf8').catch(() => undefined);
  if (made !== undefined && (await (made === 'Memory' ? isMountPoint(folder) : exists(folder))))
    return folder;
  if (made !== undefined) await unlink(marker);
  const isInMemory = medium === 'Memory' && (await inMemory(request, folder));
  if (!isInMemory) await mkdir(folder, { recursive: true, mode: 0o750 });
  const fsGroup = pod.spec.securityContext?.fsGroup;
  if (fsGroup !== undefined) await chown(folder, -1, fsGroup);
  await chmod(folder, fsGroup === undefined ? everyone : everyone | groupBits);
  await mkdir(dirname(marker), { recursive: true, mode: 0o750 });
  await writeFile(marker, isInMemory ? 'Memory' : '', { mode: 0o640 });
  return folder;
}

/** At most what the volume, the pod and the node allow, whichever is least. */
async function inMemory({ pod, source, nodeMemoryBytes, onDiskInstead }: EmptyDirRequest, folder: string) {
  const { sizeLimit } = source;
  const bounds = [
    sizeLimit === undefined ? 0 : amountOf(sizeLimit),
    podLimit(pod, 'memory')?.toNumber() ?? 0,
    nodeMemoryBytes,
  ].filter((bytes) => bytes > 0);
  const sizeBytes = bounds.length > 0 ? Math.min(...bounds) : 0;
  const isInMemory = await makeMemoryFolder(folder, { sizeBytes, mode: everyone });
  if (!isInMemory) onDiskInstead();
  return isInMemory;
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

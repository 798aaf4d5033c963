import { podLimit } from '@wherry/podrules';
import { everyoneInMemory, type MemoryPlace, makeMemoryFolder } from './memory-folder.ts';
import type { VolumeRequest } from './volume-plugin.ts';

/**
 * Makes the folder of a volume in memory, once: of at most what the pod and the node allow, and `ownBytes` unless that
 * is 0, whichever is least. Says where it is.
 */
export async function makeMemoryVolume(
  { pod, roots, host }: Pick<VolumeRequest<unknown>, 'pod' | 'roots' | 'host'>,
  ownBytes = 0,
): Promise<MemoryPlace> {
  const ofPod = podLimit(pod, 'memory')?.toNumber() ?? 0;
  const bounds = [ownBytes, ofPod, host.memoryBytes()].filter((bytes) => bytes > 0);
  const sizeBytes = bounds.length > 0 ? Math.min(...bounds) : 0;
  const place = await makeMemoryFolder(roots.content, { sizeBytes, mode: everyoneInMemory });
  host.notedMemory(place);
  return place;
}

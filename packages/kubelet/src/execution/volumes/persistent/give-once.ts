import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ReadyVolume, VolumeRequest } from '../volume-plugin.ts';
import { giveToGroup } from './group-ownership.ts';

/** Gives a volume to the pod's fsGroup. A note beside the pod's volumes says that it was done: a kubelet that starts anew leaves the files alone. */
export async function giveOnce(
  { gid, pod, roots: { notes }, sources: { signal } }: VolumeRequest<unknown>,
  folder: ReadyVolume['hostPath'],
): Promise<void> {
  if (gid === undefined) return;
  const note = join(notes, 'group');
  if ((await readFile(note, 'utf8').catch(() => '')) === String(gid)) return;
  const { fsGroupChangePolicy: policy } = pod.spec.securityContext ?? {};
  await giveToGroup(folder, { gid, onlyOnMismatch: policy === 'OnRootMismatch', signal });
  await mkdir(notes, { recursive: true, mode: 0o750 });
  await writeFile(note, String(gid), { mode: 0o640 });
}

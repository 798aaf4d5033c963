import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ReadyVolume, VolumeRequest } from '../volume-plugin.ts';
import { giveToGroup } from './group-ownership.ts';
import { tellProgress } from './group-progress.ts';

/** Gives a volume to the pod's fsGroup. A note beside the pod's volumes says that it was done: a kubelet that starts anew leaves the files alone. */
export async function giveOnce(
  request: VolumeRequest<unknown>,
  folder: ReadyVolume['hostPath'],
): Promise<void> {
  const { gid, roots } = request;
  if (gid === undefined) return;
  const { notes } = roots;
  const note = join(notes, 'group');
  if ((await readFile(note, 'utf8').catch(() => '')) === String(gid)) return;
  await give(request, folder);
  await mkdir(notes, { recursive: true, mode: 0o750 });
  await writeFile(note, String(gid), { mode: 0o640 });
}

/** Gives a volume to the pod's fsGroup, also one that was given before: it may hold other files by now. */
export async function give(request: VolumeRequest<unknown>, folder: ReadyVolume['hostPath']): Promise<void> {
  const { gid, pod, sources } = request;
  if (gid === undefined) return;
  const { fsGroupChangePolicy: policy } = pod.spec.securityContext ?? {};
  const progress = { files: 0 };
  using _telling = tellProgress(request, folder, progress);
  const { signal } = sources;
  await giveToGroup(folder, { gid, onlyOnMismatch: policy === 'OnRootMismatch', signal, progress });
}

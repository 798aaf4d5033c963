import { chmod, chown, mkdir, readFile, stat, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { EmptyDirVolumeSource } from '@wherry/kubeapi';
import { amountOf } from '../../../pod/amount.ts';
import { actedOn, type MessageVerdicts, refusedWhen } from '../../../pod/field-verdict.ts';
import { isHugePagesMedium, makeHugePagesFolder, pageBytesOfMedium } from '../huge-pages-folder.ts';
import { localVolumeUsage, removeLocalVolume } from '../local-volume.ts';
import { everyoneInMemory, isMountPoint } from '../memory-folder.ts';
import { makeMemoryVolume } from '../memory-volume.ts';
import type { VolumePlugin, VolumeRequest } from '../volume-plugin.ts';

const here = 'kubelet/execution/volumes/plugins/empty-dir';
const everyone = 0o777;
/** What an fsGroup adds to a folder's mode: read, write and enter for the group, which new files inherit. */
const groupBits = 0o2770;

const isMedium = (medium: string) => medium === '' || medium === 'Memory' || isHugePagesMedium(medium);

const fields: MessageVerdicts<EmptyDirVolumeSource> = {
  medium: {
    ...actedOn(here),
    ...refusedWhen<string>(
      'other than `Memory`, `HugePages` and `HugePages-<size>`',
      (medium) => !isMedium(medium),
      'only the disk, Memory and huge pages are supported by this kubelet',
    ),
  },
  sizeLimit: actedOn(here, 'kubelet/execution/eviction/storage-limits'),
};

/**
 * A folder of the pod's own, on disk or in memory, empty at first. It is made once; mode and group are then its users'
 * business, so a note beside the pod's volumes says that they were set. One that is in memory is made anew after a
 * restart of the machine.
 */
export const emptyDir: VolumePlugin<'emptyDir'> = {
  name: 'emptyDir',
  folder: 'empty-dir',
  supports: { EmptyDirVolumeSource: fields },
  takesGroup: true,
  readsApi: () => false,
  async setUp(request) {
    const { medium = '' } = request.source;
    if (!isMedium(medium)) throw new Error(`emptyDir medium "${medium}" is not supported by this kubelet`);
    const { content, notes } = request.roots;
    const note = join(notes, 'ready');
    const made = await readFile(note, 'utf8').catch(() => undefined);
    const isThere = made === 'Memory' ? isMountPoint : exists;
    if (made === undefined || !(await isThere(content))) {
      if (made !== undefined) await unlink(note);
      const isInMemory = await makeFolder(request);
      await mkdir(notes, { recursive: true, mode: 0o750 });
      await writeFile(note, isInMemory ? 'Memory' : '', { mode: 0o640 });
    }
    return { hostPath: content, readOnly: false };
  },
  async usage(roots, signal) {
    return (await isMountPoint(roots.content)) ? undefined : localVolumeUsage(roots, signal);
  },
  tearDown: removeLocalVolume,
};

/** True when it is in memory. */
async function makeFolder(request: VolumeRequest<EmptyDirVolumeSource>): Promise<boolean> {
  const { roots, gid } = request;
  const isInMemory = await makeMounted(request);
  if (!isInMemory) await mkdir(roots.content, { recursive: true, mode: 0o750 });
  if (gid !== undefined) await chown(roots.content, -1, gid);
  const mode = isInMemory ? everyoneInMemory : everyone;
  await chmod(roots.content, gid === undefined ? mode : mode | groupBits);
  return isInMemory;
}

/** False where it is to be on disk, or has to. */
async function makeMounted(request: VolumeRequest<EmptyDirVolumeSource>): Promise<boolean> {
  const { medium = '' } = request.source;
  if (medium === 'Memory') return makeInMemory(request);
  if (!isHugePagesMedium(medium)) return false;
  await makeHugePagesFolder(request.roots.content, pageBytesOfMedium(request.pod, medium));
  return true;
}

/** False where memory is not to be had. */
async function makeInMemory({ source, ...request }: VolumeRequest<EmptyDirVolumeSource>): Promise<boolean> {
  const own = source.sizeLimit === undefined ? 0 : amountOf(source.sizeLimit);
  return (await makeMemoryVolume(request, own)) !== 'disk';
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

import { mkdir, symlink, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { hasCode, OpenFolder } from '@wherry/linux';
import type { CsiLayout } from './csi-layout.ts';
import { removeEmpty } from './remove-place.ts';

/** Makes room for a pod's block volume, and the link by which the pod's folder tells of it; where it is to be. */
export async function linkDevice(layout: CsiLayout, name: string, uid: string): Promise<string> {
  const path = layout.devicePublishPath(name, uid);
  await mkdir(dirname(path), { recursive: true, mode: 0o750 });
  await mkdir(layout.podDevicesDir(uid), { recursive: true, mode: 0o750 });
  await symlink(path, join(layout.podDevicesDir(uid), name)).catch((error: unknown) => {
    if (!hasCode(error, 'EEXIST')) throw error;
  });
  return path;
}

/** Takes the link away, and what its driver left at the place. */
export async function unlinkDevice(layout: CsiLayout, name: string, uid: string): Promise<void> {
  await removeEmpty(layout.devicePublishPath(name, uid));
  await unlink(join(layout.podDevicesDir(uid), name)).catch((error: unknown) => {
    if (!hasCode(error, 'ENOENT')) throw error;
  });
}

/** Takes away what is kept of a block volume that no pod has any more. */
export async function removeDevice(layout: CsiLayout, name: string): Promise<void> {
  await removeEmpty(layout.deviceStagingPath(name));
  await removeEmpty(dirname(layout.devicePublishPath(name, 'any')));
  using devices = OpenFolder.at(layout.devicesDir);
  await devices.removeInTurns(name);
}

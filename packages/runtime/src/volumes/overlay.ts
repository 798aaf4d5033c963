import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { LayerStore } from '@wherry/images';
import { mount, unmount } from '@wherry/linux';
import { RuntimeError } from '../errors.ts';

/** A root file system: read-only layers under a writable one. */
export interface OverlayRequest {
  /** Folder that the layer keys are relative to. */
  layersRoot: string;
  /** Layers, lowest first. */
  layerKeys: readonly string[];
  /** Folder for the writable layer and the mount point. */
  folder: string;
}

/** Parts of the folder. */
export const overlayParts = { root: 'rootfs', upper: 'upper', work: 'work' } as const;

const optionBytesMax = 4095;
const rootMode = 0o755;

/** Characters that separate mount options must be escaped inside a path. */
const escaped = (path: string) => path.replace(/[\\,:]/g, (character) => `\\${character}`);

/**
 * Mounts an overlay and answers its mount point. `volatile` leaves out every sync: the writable layer never outlives a
 * reboot anyway (no container is started again after one), and an unmount would else write out the whole disk's
 * caches while this thread waits.
 */
export function mountOverlay({ layersRoot, layerKeys, folder }: OverlayRequest): string {
  if (layerKeys.length === 0)
    throw new RuntimeError('INVALID_ARGUMENT', 'the image has no layers, so there is nothing to run');
  const [root, upper, work] = [overlayParts.root, overlayParts.upper, overlayParts.work].map((name) =>
    join(folder, name),
  );
  for (const path of [root, upper, work]) mkdirSync(path as string, { recursive: true, mode: rootMode });
  const lower = [...layerKeys].reverse().map(LayerStore.folderOf).join(':');
  const data = `lowerdir=${lower},upperdir=${escaped(upper as string)},workdir=${escaped(work as string)},volatile`;
  if (Buffer.byteLength(data) > optionBytesMax) {
    throw new RuntimeError(
      'UNIMPLEMENTED',
      `image has ${layerKeys.length} layers, too many for one overlay mount here`,
    );
  }
  inFolder(layersRoot, () => mount({ source: 'overlay', target: root as string, type: 'overlay', data }));
  return root as string;
}

/** Takes the mount away; its files stay. Nothing mounted is fine. */
export function unmountOverlay(folder: string): void {
  unmount(join(folder, overlayParts.root), { detach: true });
}

/** Where this process is; the root when that folder was removed. */
function currentFolder(): string {
  try {
    return process.cwd();
  } catch {
    return '/';
  }
}

/** Runs a synchronous action with relative paths starting at `path`, so that 128 layers fit the kernel's one page. */
function inFolder(path: string, action: () => void): void {
  const before = currentFolder();
  process.chdir(path);
  try {
    action();
  } finally {
    process.chdir(before);
  }
}

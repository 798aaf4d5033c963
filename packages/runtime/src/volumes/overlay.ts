import { chownSync, mkdirSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';
import { LayerStore } from '@wherry/images';
import { mount, mountIdMapped, unmount } from '@wherry/linux';
import { RuntimeError } from '../errors.ts';

/** A root file system: read-only layers under a writable one. */
export interface OverlayRequest {
  /** Folder that the layer keys are relative to. */
  layersRoot: string;
  /** Layers, lowest first. */
  layerKeys: readonly string[];
  /** Folder for the writable layer and the mount point. */
  folder: string;
  /** Whose files they are to be; absent: the machine's users', as the layers say. */
  owners?: LayerOwners | undefined;
}

/** The users of a pod's own user namespace, as owners of files. */
export interface LayerOwners {
  userNamespacePath: string;
  /** Ids of the machine that root of the pod is. */
  rootUid: number;
  rootGid: number;
}

/** Parts of the folder. */
export const overlayParts = { root: 'rootfs', upper: 'upper', work: 'work', mapped: 'mapped' } as const;

const optionBytesMax = 4095;
const rootMode = 0o755;

/** Characters that separate mount options must be escaped inside a path. */
const escaped = (path: string) => path.replace(/[\\,:]/g, (character) => `\\${character}`);

/**
 * Mounts an overlay and answers its mount point. `volatile` leaves out every sync: the writable layer never outlives a
 * reboot anyway (no container is started again after one), and an unmount would else write out the whole disk's
 * caches while this thread waits.
 */
export function mountOverlay({ layersRoot, layerKeys, folder, owners }: OverlayRequest): string {
  if (layerKeys.length === 0)
    throw new RuntimeError('INVALID_ARGUMENT', 'the image has no layers, so there is nothing to run');
  const [root, upper, work] = [overlayParts.root, overlayParts.upper, overlayParts.work].map((name) =>
    join(folder, name),
  );
  for (const path of [root, upper, work]) mkdirSync(path as string, { recursive: true, mode: rootMode });
  const folders = [...layerKeys].reverse().map(LayerStore.folderOf);
  const mapped = owners && new MappedLayers(join(folder, overlayParts.mapped));
  const lower = (mapped ? folders.map((_, at) => `${at}`) : folders).join(':');
  const data = `lowerdir=${lower},upperdir=${escaped(upper as string)},workdir=${escaped(work as string)},volatile`;
  if (Buffer.byteLength(data) > optionBytesMax) {
    throw new RuntimeError(
      'UNIMPLEMENTED',
      `image has ${layerKeys.length} layers, too many for one overlay mount here`,
    );
  }
  const mountIn = (path: string) =>
    inFolder(path, () => mount({ source: 'overlay', target: root as string, type: 'overlay', data }));
  if (!mapped || !owners) {
    mountIn(layersRoot);
    return root as string;
  }
  chownSync(upper as string, owners.rootUid, owners.rootGid);
  try {
    for (const layer of folders) mapped.add(join(layersRoot, layer), owners.userNamespacePath);
    mountIn(mapped.folder);
  } finally {
    // The overlay has views of its own.
    mapped.release();
  }
  return root as string;
}

/** Layers as a pod's own users see them: mounted for as long as an overlay over them is being made. */
class MappedLayers {
  readonly folder: string;
  #count = 0;

  constructor(folder: string) {
    this.folder = folder;
  }

  add(source: string, userNamespacePath: string): void {
    const target = join(this.folder, `${this.#count}`);
    mkdirSync(target, { recursive: true, mode: 0o700 });
    this.#count += 1;
    mountIdMapped({ source, target, userNamespacePath });
  }

  release(): void {
    for (let at = 0; at < this.#count; at += 1) {
      const target = join(this.folder, `${at}`);
      unmount(target, { detach: true });
      rmdirSync(target);
    }
    if (this.#count > 0) rmdirSync(this.folder);
  }
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

import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { LayerStore } from '@wherry/images';
import { pinUserNamespace, unpinNamespace } from '@wherry/linux';
import { messageOf } from '../errors.ts';
import { mountOverlay, unmountOverlay } from './overlay.ts';

/** Any range: nothing is kept that has its ids. */
const hostId = 65_536;
const layerKey = 'probe';
const pinName = 'user';

/**
 * Tries what a pod with a user namespace needs of the machine: such a namespace, and an overlay over layers below the data
 * folder whose owners are mapped. Answers what is missing, or null. Leaves nothing, and clears what a killed one left.
 */
export async function findUserNamespaceProblem(dataDir: string): Promise<string | null> {
  const folder = join(dataDir, 'user-namespace-probe');
  clear(folder);
  try {
    mkdirSync(folder);
    const ranges = [{ containerId: 0, hostId, size: hostId }];
    const maps = { uids: ranges, gids: ranges };
    const pins = await pinUserNamespace({ types: [], directory: folder, maps });
    const layersRoot = join(folder, 'layers');
    mkdirSync(join(layersRoot, LayerStore.folderOf(layerKey)), { recursive: true });
    const owners = { userNamespacePath: pins[pinName] ?? '', rootUid: hostId, rootGid: hostId };
    mountOverlay({ layersRoot, layerKeys: [layerKey], folder, owners });
    return null;
  } catch (error) {
    return messageOf(error);
  } finally {
    clear(folder);
  }
}

function clear(folder: string): void {
  unmountOverlay(folder);
  unpinNamespace(join(folder, pinName));
  rmSync(folder, { recursive: true, force: true });
}

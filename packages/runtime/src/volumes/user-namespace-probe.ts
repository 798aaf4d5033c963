import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { LayerStore } from '@wherry/images';
import { pinUserNamespace, unpinNamespace } from '@wherry/linux';
import { messageOf } from '../errors.ts';
import { mountOverlay, unmountOverlay } from './overlay.ts';

/** Any range: nothing is kept that has its ids. */
const hostId = 65_536;
const layerKey = 'probe';

/**
 * Tries what a pod with a user namespace needs of the machine: such a namespace, and an overlay over layers below the data
 * folder whose owners are mapped. Answers what is missing, or null. Leaves nothing.
 */
export async function findUserNamespaceProblem(dataDir: string): Promise<string | null> {
  const folder = mkdtempSync(join(dataDir, 'probe-'));
  let pins: Record<string, string> = {};
  try {
    const ranges = [{ containerId: 0, hostId, size: hostId }];
    pins = await pinUserNamespace({ types: [], directory: folder, maps: { uids: ranges, gids: ranges } });
    const layersRoot = join(folder, 'layers');
    mkdirSync(join(layersRoot, LayerStore.folderOf(layerKey)), { recursive: true });
    const owners = { userNamespacePath: pins['user'] ?? '', rootUid: hostId, rootGid: hostId };
    mountOverlay({ layersRoot, layerKeys: [layerKey], folder, owners });
    return null;
  } catch (error) {
    return messageOf(error);
  } finally {
    unmountOverlay(folder);
    for (const path of Object.values(pins)) unpinNamespace(path);
    rmSync(folder, { recursive: true, force: true });
  }
}

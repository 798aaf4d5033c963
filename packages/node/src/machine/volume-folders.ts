import type { VolumeFolders } from '@wherry/controllers';
import { hasCode, makePrivateFolder, OpenFolder } from '@wherry/linux';

/** Whoever a pod's processes run as, they may write: nobody else gets through the folder above. */
const mode = 0o777;

/**
 * The volumes of this machine's nodes as folders below `root`, which only its owner enters. A volume's folder is reached by descriptors
 * and its name alone, so that no link that a pod left leads out of it.
 */
export function volumeFolders(root: string, nodeNames: readonly string[]): VolumeFolders {
  makePrivateFolder(root);
  return {
    nodeNames,
    async make(name) {
      using volumes = OpenFolder.at(root);
      volumes.entry(name);
      volumes.makeFolders(name, { mode, links: 'refused' }).close();
      return `${root}/${name}`;
    },
    async remove(name) {
      using volumes = OpenFolder.at(root);
      try {
        await volumes.removeInTurns(name);
      } catch (error) {
        if (!hasCode(error, 'ENOENT')) throw error;
      }
    },
  };
}

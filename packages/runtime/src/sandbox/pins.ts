/** Whether what a sandbox keeps its namespaces by is still there: somebody may have unmounted it. */
import { statfsSync } from 'node:fs';
import { hasCode } from '@wherry/linux';
import type { Sandbox, SandboxNamespace } from './sandbox-record.ts';

/** NSFS_MAGIC (linux/magic.h). */
const namespaceFileSystem = 0x6e736673;

/** The kind of a namespace that nothing pins any more; undefined while all of them are pinned. */
export function unpinnedNamespace({ namespaces }: Pick<Sandbox, 'namespaces'>): SandboxNamespace | undefined {
  const pins = Object.entries(namespaces) as [SandboxNamespace, string][];
  return pins.find(([, path]) => !isPin(path))?.[0];
}

function isPin(path: string): boolean {
  try {
    return statfsSync(path).type === namespaceFileSystem;
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR')) return false;
    throw error;
  }
}

import { type KubeClient, kinds } from '@wherry/client';
import type { Node } from '@wherry/kubeapi/objects';
import { storageAnnotations } from '@wherry/podrules';
import { volumeBoundTo } from '../../persistent-volume/binding-writes.ts';
import type { StoragePlan } from '../pod-storage.ts';

/**
 * Keeps volumes for claims, and says for which node the others' are to be made; what stands already is not written again.
 * Throws Conflict when somebody else was faster.
 */
export async function prepareStorage(
  client: KubeClient,
  { node, plan, signal }: { node: Node; plan: StoragePlan | undefined; signal: AbortSignal },
): Promise<void> {
  for (const { volume, claim } of plan?.bind ?? []) {
    const bound = volumeBoundTo(volume, claim);
    if (bound !== volume) await client.resource(kinds.persistentVolumes).update(bound, { signal });
  }
  const { selectedNode } = storageAnnotations;
  const name = node.metadata.name ?? '';
  for (const claim of plan?.provision ?? []) {
    if (claim.metadata.annotations?.[selectedNode] === name) continue;
    const annotations = { ...claim.metadata.annotations, [selectedNode]: name };
    const metadata = { ...claim.metadata, annotations };
    await client.resource(kinds.persistentVolumeClaims).update({ ...claim, metadata }, { signal });
  }
}

import type { Node, Taint } from '@wherry/kubeapi/objects';
import { nodeCondition, shortageKeys, taintKeys } from '@wherry/podrules';

const managedKeys: string[] = Object.values(taintKeys);
const evictingKeys: string[] = [taintKeys.notReady, taintKeys.unreachable];

/** True of the taints by which a node that is not ready loses its pods. */
export const evicts = ({ key, effect }: Taint) => effect === 'NoExecute' && evictingKeys.includes(key);

/** The taints that keep new pods from a node: by its conditions and its `unschedulable` field. */
export function keepingTaints(node: Node): Taint[] {
  const status = nodeCondition(node, 'Ready')?.status;
  const unready =
    status === 'True' ? [] : [status === 'Unknown' ? taintKeys.unreachable : taintKeys.notReady];
  return [...unready, ...shortageKeys(node)].map((key) => ({ key, effect: 'NoSchedule' }));
}

/**
 * Which taint of NoExecute a node that is not ready has: one that had another takes this at once; one that had none gets it as `isDue`
 * says; one that is ready, or told by nothing, has none.
 */
export function evictingTaints(node: Node, isDue: boolean): Taint[] {
  const status = nodeCondition(node, 'Ready')?.status;
  if (status === undefined || status === 'True') return [];
  if (!isDue && !(node.spec?.taints ?? []).some(evicts)) return [];
  return [{ key: status === 'Unknown' ? taintKeys.unreachable : taintKeys.notReady, effect: 'NoExecute' }];
}

/** What of a key of ours somebody else wrote with another effect is theirs. */
const isManaged = (taint: Taint) =>
  evicts(taint) || (taint.effect === 'NoSchedule' && managedKeys.includes(taint.key));

/** The node's taints with those in place of the ones that are managed here; undefined when nothing changes. */
export function changedTaints(node: Node, wanted: readonly Taint[], timeAdded: string): Taint[] | undefined {
  const current = node.spec?.taints ?? [];
  const same = (a: Taint) => (b: Taint) => a.key === b.key && a.effect === b.effect;
  const kept = current.filter((taint) => !isManaged(taint) || wanted.some(same(taint)));
  const missing = wanted.filter((taint) => !current.some(same(taint)));
  if (kept.length === current.length && missing.length === 0) return undefined;
  return [...kept, ...missing.map((taint) => ({ ...taint, timeAdded }))];
}

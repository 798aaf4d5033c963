import { type Node, ownValue } from '@wherry/kubeapi/objects';
import { nodeLabelKeys } from '@wherry/podrules';

const { os, arch, betaOs, betaArch } = nodeLabelKeys;
const pairs = [
  [os, betaOs],
  [arch, betaArch],
] as const;

/** The labels by which older clients know a node's system, where they do not say what the newer ones say; undefined where all do. */
export function labelsToMend({ metadata }: Node): Record<string, string> | undefined {
  const labels = metadata?.labels;
  const wrong = pairs.flatMap(([key, oldKey]) => {
    const value = ownValue(labels, key);
    return value === undefined || value === ownValue(labels, oldKey) ? [] : [[oldKey, value] as const];
  });
  return wrong.length > 0 ? Object.fromEntries(wrong) : undefined;
}

import type { NodeSelectorTerm, Pod } from '@wherry/kubeapi/objects';
import { matchesNodeAffinity } from '@wherry/podrules';
import { type FilterPlugin, refuse } from './filter-plugin.ts';

const refused = refuse("node(s) didn't match Pod's node affinity/selector", { isFinal: true });

/** `nodeSelector` and required node affinity. */
export const nodeAffinity: FilterPlugin = {
  name: 'NodeAffinity',
  helpedBy: ['node'],
  prepare({ pod }) {
    const required = requiredTerms(pod);
    if (!required && !pod.spec?.nodeSelector) return undefined;
    const nodeNames = namesOf(required ?? []);
    if (nodeNames?.size === 0) return { message: 'pod affinity terms conflict' };
    return {
      ...(nodeNames ? { nodeNames } : {}),
      refusal: ({ node }) => (node && !matchesNodeAffinity(pod, node) ? refused : undefined),
    };
  },
};

function requiredTerms({ spec }: Pod): readonly NodeSelectorTerm[] | undefined {
  return spec?.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms;
}

/** The nodes that the terms name, where each of them names some: pods of daemon sets have one node each. */
function namesOf(terms: readonly NodeSelectorTerm[]): Set<string> | undefined {
  const all = new Set<string>();
  for (const { matchFields = [] } of terms) {
    const lists = matchFields
      .filter(({ key, operator }) => key === 'metadata.name' && operator === 'In')
      .map(({ values = [] }) => new Set(values));
    if (lists.length === 0) return undefined;
    for (const name of lists.reduce((a, b) => a.intersection(b))) all.add(name);
  }
  return terms.length === 0 ? undefined : all;
}

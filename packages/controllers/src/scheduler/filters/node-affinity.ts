import type { NodeSelector, NodeSelectorTerm, Pod } from '@wherry/kubeapi/objects';
import { matchesNodeAffinity } from '@wherry/podrules';
import { type FilterPlugin, refuse } from './filter-plugin.ts';

const refused = refuse("node(s) didn't match Pod's node affinity/selector", { isFinal: true });

const enforced = refuse("node(s) didn't match scheduler-enforced node affinity", { isFinal: true });

/** `nodeSelector` and required node affinity; nodes have to match `added` for whichever pod. */
export function nodeAffinityWith(added: NodeSelector | undefined): FilterPlugin {
  const everyPod = added && {
    spec: { containers: [], affinity: { nodeAffinity: { [requiredName]: added } } },
  };
  return {
    name: 'NodeAffinity',
    helpedBy: ['node'],
    prepare({ pod }) {
      const required = requiredTerms(pod);
      if (!required && !everyPod && !pod.spec?.nodeSelector) return undefined;
      const nodeNames = namesOf(required ?? []);
      if (nodeNames?.size === 0) return { message: 'pod affinity terms conflict' };
      return {
        ...(nodeNames ? { nodeNames } : {}),
        refusal({ node }) {
          if (!node) return undefined;
          if (everyPod && !matchesNodeAffinity(everyPod, node)) return enforced;
          return matchesNodeAffinity(pod, node) ? undefined : refused;
        },
      };
    },
  };
}

/** The pod's own alone. */
export const nodeAffinity = nodeAffinityWith(undefined);

const requiredName = 'requiredDuringSchedulingIgnoredDuringExecution';

function requiredTerms({ spec }: Pod): readonly NodeSelectorTerm[] | undefined {
  return spec?.affinity?.nodeAffinity?.[requiredName]?.nodeSelectorTerms;
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

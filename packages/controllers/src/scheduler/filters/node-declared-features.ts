import { featuresNeededBy, undeclaredFeatures } from '@wherry/podrules';
import { type FilterPlugin, refuse } from './filter-plugin.ts';

const refused = refuse("node(s) didn't match Pod's required features", { isFinal: true });

/** Pods that ask for what not every kubelet can do go to nodes that declare it. */
export const nodeDeclaredFeatures: FilterPlugin = {
  name: 'NodeDeclaredFeatures',
  helpedBy: ['node'],
  prepare({ pod }) {
    const needed = featuresNeededBy(pod);
    if (needed.length === 0) return undefined;
    return { refusal: ({ node }) => (undeclaredFeatures(needed, node).length > 0 ? refused : undefined) };
  },
};

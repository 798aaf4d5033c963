import { untolerated } from '@wherry/podrules';
import { type FilterPlugin, refuse } from './filter-plugin.ts';

const refused = refuse('node(s) had untolerated taint(s)', { isFinal: true });

/** Taints that keep pods away, and those of which a node's conditions will soon make one. */
export const taintToleration: FilterPlugin = {
  name: 'TaintToleration',
  helpedBy: ['node'],
  prepare: ({ pod }) => ({
    refusal: ({ taints }) =>
      untolerated(taints, pod.spec?.tolerations, ['NoSchedule', 'NoExecute']) ? refused : undefined,
  }),
};

import { isTolerated, taintKeys } from '@wherry/podrules';
import { type FilterPlugin, refuse } from './filter-plugin.ts';

const refused = refuse('node(s) were unschedulable', { isFinal: true });

/** Cordoned nodes take only what tolerates that. */
export const nodeUnschedulable: FilterPlugin = {
  name: 'NodeUnschedulable',
  helpedBy: ['node'],
  prepare({ pod }) {
    const taint = { key: taintKeys.unschedulable, effect: 'NoSchedule' } as const;
    if (isTolerated(taint, pod.spec?.tolerations)) return undefined;
    return { refusal: ({ node }) => (node?.spec?.unschedulable ? refused : undefined) };
  },
};

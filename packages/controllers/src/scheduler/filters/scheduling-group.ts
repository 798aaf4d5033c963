import type { FilterPlugin } from './filter-plugin.ts';

/** Pods that are to start together with others: nothing here counts them, so they stay Pending. */
export const schedulingGroup: FilterPlugin = {
  name: 'GangScheduling',
  helpedBy: [],
  prepare({ pod }) {
    if (!pod.spec?.schedulingGroup) return undefined;
    const advice = 'remove it, or name another scheduler';
    return { message: `this scheduler does not support spec.schedulingGroup: ${advice}` };
  },
};

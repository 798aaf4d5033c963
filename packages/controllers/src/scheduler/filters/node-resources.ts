import { shortagesBeside } from '@wherry/podrules';
import type { FilterPlugin } from './filter-plugin.ts';

/** Processors, memory, other resources and the number of pods. */
export const nodeResources: FilterPlugin = {
  name: 'NodeResourcesFit',
  helpedBy: ['node', 'pod-changed', 'pod-gone'],
  prepare: ({ pod }) => ({
    refusal({ pods, requested: used, allocatable }) {
      const short = shortagesBeside(pod, { podCount: pods.size, used, allocatable });
      if (short.length === 0) return undefined;
      return {
        reasons: short.map(({ resource }) =>
          resource === 'pods' ? 'Too many pods' : `Insufficient ${resource}`,
        ),
        isFinal: short.some(
          ({ resource, requested, capacity }) => resource !== 'pods' && requested > capacity,
        ),
      };
    },
  }),
};

import { type Shortage, shortagesBeside } from '@wherry/podrules';
import { extendedClasses } from '../devices/extended/extended-requests.ts';
import type { FilterPlugin } from './filter-plugin.ts';

/**
 * Processors, memory, other resources and the number of pods. What a node has nothing of and a device class stands for is
 * left to the filter of dynamic resources.
 */
export const nodeResources: FilterPlugin = {
  name: 'NodeResourcesFit',
  helpedBy: ['node', 'pod-changed', 'pod-gone', 'device-class'],
  prepare({ pod }, { objects }) {
    const classes = extendedClasses(pod, objects.deviceClasses);
    const isLeft = ({ resource, capacity }: Shortage) => capacity <= 0 && classes.has(resource);
    return {
      refusal({ pods, requested: used, allocatable }) {
        const all = shortagesBeside(pod, { podCount: pods.size, used, allocatable });
        const short = all.filter((each) => !isLeft(each));
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
    };
  },
};

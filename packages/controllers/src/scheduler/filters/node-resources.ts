import { isExtendedResource, type Shortage, shortagesBeside } from '@wherry/podrules';
import { extendedClasses } from '../devices/extended/extended-requests.ts';
import type { FilterPlugin } from './filter-plugin.ts';

/** Extended resources that are not looked at: by their names, and by what stands before the slash. */
export interface IgnoredResources {
  ignoredResources?: readonly string[];
  ignoredResourceGroups?: readonly string[];
}

/**
 * Processors, memory, other resources and the number of pods. What a node has nothing of and a device class stands for is
 * left to the filter of dynamic resources.
 */
export function nodeResourcesBut({
  ignoredResources = [],
  ignoredResourceGroups = [],
}: IgnoredResources): FilterPlugin {
  const names = new Set(ignoredResources);
  const groups = new Set(ignoredResourceGroups);
  const isIgnored = (name: string) =>
    isExtendedResource(name) && (names.has(name) || groups.has(name.slice(0, name.indexOf('/'))));
  return {
    name: 'NodeResourcesFit',
    helpedBy: ['node', 'pod-changed', 'pod-gone', 'device-class'],
    prepare({ pod }, { objects }) {
      const classes = extendedClasses(pod, objects.deviceClasses);
      const isLeft = ({ resource, capacity }: Shortage) =>
        (capacity <= 0 && classes.has(resource)) || isIgnored(resource);
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
}

/** All of them. */
export const nodeResources = nodeResourcesBut({});

import { dynamicResources } from './dynamic-resources.ts';
import type { FilterPlugin } from './filter-plugin.ts';
import { interPodAffinity } from './inter-pod-affinity.ts';
import { nodeAffinity } from './node-affinity.ts';
import { nodePorts } from './node-ports.ts';
import { nodeResources } from './node-resources.ts';
import { nodeUnschedulable } from './node-unschedulable.ts';
import { schedulingGroup } from './scheduling-group.ts';
import { taintToleration } from './taint-toleration.ts';
import { topologySpread } from './topology-spread.ts';
import { volumeBinding } from './volume-binding.ts';
import { volumeLimits } from './volume-limits.ts';
import { volumeRestrictions } from './volume-restrictions.ts';
import { volumeZone } from './volume-zone.ts';

/** All filters, in upstream's order: the first that refuses a node gives the reason. */
export const filters: readonly FilterPlugin[] = [
  schedulingGroup,
  nodeUnschedulable,
  taintToleration,
  nodeAffinity,
  nodePorts,
  nodeResources,
  volumeRestrictions,
  volumeLimits,
  volumeBinding,
  volumeZone,
  topologySpread,
  interPodAffinity,
  dynamicResources,
];

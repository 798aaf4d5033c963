import { dynamicResources } from './dynamic-resources.ts';
import type { FilterPlugin } from './filter-plugin.ts';
import { interPodAffinity } from './inter-pod-affinity.ts';
import { nodeAffinity } from './node-affinity.ts';
import { nodeDeclaredFeatures } from './node-declared-features.ts';
import { nodePorts } from './node-ports.ts';
import { nodeResources } from './node-resources.ts';
import { nodeUnschedulable } from './node-unschedulable.ts';
import { schedulingGroup } from './scheduling-group.ts';
import { volumeBinding } from './storage/volume-binding.ts';
import { volumeLimits } from './storage/volume-limits.ts';
import { volumeRestrictions } from './storage/volume-restrictions.ts';
import { volumeZone } from './storage/volume-zone.ts';
import { taintToleration } from './taint-toleration.ts';
import { topologySpread } from './topology-spread.ts';

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
  nodeDeclaredFeatures,
];

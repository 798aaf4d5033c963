import type { Pod } from '@wherry/kubeapi/objects';
import type { SchedulerState } from '../figures/scheduler-figures.ts';
import type { SchedulerParts } from './decision/parts.ts';
import { schedulerOf } from './profiles/profile.ts';

/** What figures tell of a scheduler, whenever they are asked for. */
export const schedulerState = (
  { queue, cluster, watch }: SchedulerParts,
  pods: ReadonlyMap<string, Pod>,
): SchedulerState => ({
  pending: () => ({ ...queue.counts, gated: gatedCount(pods) }),
  refusedBy: () => refusals(queue),
  known: () => ({
    nodes: cluster.nodes.length,
    pods: cluster.nodes.reduce((sum, { pods: placed }) => sum + placed.size, 0),
    assumed_pods: watch.assumedCount,
  }),
});

function refusals(queue: SchedulerParts['queue']) {
  const counts = new Map<string, { plugin: string; profile: string; count: number }>();
  for (const { info, plugin } of queue.refusals()) {
    const profile = schedulerOf(info.pod);
    const known = counts.get(`${profile}/${plugin}`) ?? { plugin, profile, count: 0 };
    known.count += 1;
    counts.set(`${profile}/${plugin}`, known);
  }
  return [...counts.values()];
}

function gatedCount(pods: ReadonlyMap<string, Pod>): number {
  let count = 0;
  for (const { spec } of pods.values())
    if (!spec?.nodeName && (spec?.schedulingGates ?? []).length > 0) count += 1;
  return count;
}

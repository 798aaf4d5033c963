import type { ClusterState } from '../../cluster/cluster-state.ts';
import type { PodInfo } from '../../cluster/pod-info.ts';
import { type FilterPlugin, refuse } from '../filter-plugin.ts';

const refused = refuse(
  'node(s) unavailable due to PersistentVolumeClaim with ReadWriteOncePod access mode already in-use by another pod',
);

/** Claims that one pod alone may use. */
export const volumeRestrictions: FilterPlugin = {
  name: 'VolumeRestrictions',
  helpedBy: ['pod-gone', 'storage'],
  prepare(info, cluster) {
    const lone = new Set(info.claims.filter((key) => isLone(key, cluster)));
    let conflicts = [...lone].filter((key) => cluster.claimUsers(key) > 0).length;
    if (conflicts === 0) return undefined;
    return {
      refusal: () => (conflicts > 0 ? refused : undefined),
      suppose({ claims }: PodInfo, _room, change) {
        conflicts += change * claims.filter((key) => lone.has(key)).length;
      },
    };
  },
};

function isLone(key: string, { objects }: ClusterState): boolean {
  return objects.claims.get(key)?.spec.accessModes?.includes('ReadWriteOncePod') ?? false;
}

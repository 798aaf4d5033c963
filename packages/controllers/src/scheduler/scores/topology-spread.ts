import { ownValue } from '@wherry/kubeapi/objects';
import { nodeLabelKeys } from '@wherry/podrules';
import type { ClusterState } from '../cluster/cluster-state.ts';
import type { NodeRoom } from '../cluster/node-room.ts';
import type { NodeView } from '../cluster/node-view.ts';
import type { PodInfo } from '../cluster/pod-info.ts';
import {
  constraintsOf,
  counts,
  hasAllKeys,
  isSibling,
  type SpreadConstraint,
  type SpreadDefaults,
  systemSpread,
} from '../cluster/spread-constraint.ts';
import { type ScorePlugin, scoreMax } from './score-plugin.ts';

/** Domains with fewer siblings of the pod: by its own wishes (`ScheduleAnyway`), or by these. */
export function topologySpreadWith(defaults: SpreadDefaults): ScorePlugin {
  return {
    name: 'PodTopologySpread',
    weight: 2,
    score(info, rooms, cluster) {
      const hasOwn = (info.pod.spec?.topologySpreadConstraints ?? []).length > 0;
      const { objects } = cluster;
      const constraints = constraintsOf(info.pod, 'ScheduleAnyway', { defaults, objects });
      if (constraints.length === 0) return undefined;
      const takesAll = !hasOwn && defaults.takesPartialNodes;
      const isCompared = (room: NodeView) => takesAll || hasAllKeys(room, constraints);
      const compared = rooms.filter(isCompared);
      const crowds = constraints.map((constraint) =>
        crowdOf(constraint, { info, compared, cluster, isCompared }),
      );
      const sums = new Map(
        compared.map((room) => [room, Math.round(crowds.reduce((sum, crowd) => sum + crowd(room), 0))]),
      );
      const most = Math.max(0, ...sums.values());
      const least = Math.min(...sums.values());
      return rooms.map((room) => {
        const sum = sums.get(room);
        if (sum === undefined) return 0;
        return most === 0 ? scoreMax : Math.trunc((scoreMax * (most + least - sum)) / most);
      });
    },
  };
}

/** By default upstream's. */
export const topologySpread = topologySpreadWith(systemSpread);

interface Spreading {
  info: PodInfo;
  compared: readonly NodeRoom[];
  cluster: ClusterState;
  isCompared(room: NodeView): boolean;
}

/** How crowded a node's domain is with siblings; domains of labels with few values weigh less. */
function crowdOf(constraint: SpreadConstraint, spreading: Spreading): (room: NodeView) => number {
  const { topologyKey, maxSkew } = constraint;
  const { info, compared, cluster, isCompared } = spreading;
  const isByNode = topologyKey === nodeLabelKeys.hostname;
  const domainOf = ({ name, labels }: NodeView) => (isByNode ? name : (ownValue(labels, topologyKey) ?? ''));
  const siblings = new Map(compared.map((room) => [domainOf(room), 0]));
  const weight = Math.log(siblings.size + 2);
  for (const shape of cluster.shapes.all) {
    if (!isSibling(constraint, info, shape)) continue;
    for (const [room, pods] of shape.rooms) {
      const known = siblings.get(domainOf(room));
      if (known === undefined || !room.node) continue;
      if (!isByNode && !(isCompared(room) && counts(constraint, info, room))) continue;
      siblings.set(domainOf(room), known + pods);
    }
  }
  return (room) => {
    if (ownValue(room.labels, topologyKey) === undefined) return 0;
    return siblings.get(domainOf(room))! * weight + (maxSkew - 1);
  };
}

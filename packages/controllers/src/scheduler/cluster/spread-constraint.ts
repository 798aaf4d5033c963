import { controllerOf } from '@wherry/client';
import {
  LabelMatcher,
  type LabelRequirement,
  matcherFrom,
  ownValue,
  type Pod,
  type TopologySpreadConstraint,
} from '@wherry/kubeapi/objects';
import { matchesNodeAffinity, nodeLabelKeys, untolerated } from '@wherry/podrules';
import type { KnownObjects } from './known-objects.ts';
import type { NodeView } from './node-view.ts';
import type { PodInfo } from './pod-info.ts';
import type { PodShape } from './pod-shape.ts';

/** How pods are to be spread over the domains of one label, ready to be asked. */
export interface SpreadConstraint {
  maxSkew: number;
  minDomains: number;
  topologyKey: string;
  selector: LabelMatcher;
  honorsAffinity: boolean;
  honorsTaints: boolean;
}

type Action = TopologySpreadConstraint['whenUnsatisfiable'];

/** The wishes of pods that have no constraints: those of one service or controller apart. */
export interface SpreadDefaults {
  constraints: readonly TopologySpreadConstraint[];
  /** A node that lacks some of the labels is spread over too. */
  takesPartialNodes: boolean;
}

/** Upstream's: by node and by zone, where there are zones. */
export const systemSpread: SpreadDefaults = {
  constraints: [
    { maxSkew: 3, topologyKey: nodeLabelKeys.hostname, whenUnsatisfiable: 'ScheduleAnyway' },
    { maxSkew: 5, topologyKey: nodeLabelKeys.zone, whenUnsatisfiable: 'ScheduleAnyway' },
  ],
  takesPartialNodes: true,
};

/** The constraints of one kind that a pod has itself, or has by default. */
export function constraintsOf(
  pod: Pod,
  action: Action,
  { defaults, objects }: { defaults: SpreadDefaults; objects: KnownObjects },
): SpreadConstraint[] {
  const own = pod.spec?.topologySpreadConstraints ?? [];
  if (own.length > 0)
    return read(own, action, (constraint) => withLabelKeys(constraint, pod.metadata.labels ?? {}));
  if (!defaults.constraints.some(({ whenUnsatisfiable }) => whenUnsatisfiable === action)) return [];
  const selector = siblings(pod, objects);
  return selector.isEmpty ? [] : read(defaults.constraints, action, () => selector);
}

function read(
  constraints: readonly TopologySpreadConstraint[],
  action: Action,
  selectorOf: (constraint: TopologySpreadConstraint) => LabelMatcher,
): SpreadConstraint[] {
  return constraints
    .filter(({ whenUnsatisfiable }) => whenUnsatisfiable === action)
    .map((constraint) => ({
      maxSkew: constraint.maxSkew,
      minDomains: constraint.minDomains ?? 1,
      topologyKey: constraint.topologyKey,
      selector: selectorOf(constraint),
      honorsAffinity: (constraint.nodeAffinityPolicy ?? 'Honor') === 'Honor',
      honorsTaints: (constraint.nodeTaintsPolicy ?? 'Ignore') === 'Honor',
    }));
}

/** Whether a node has the labels of all these. */
export function hasAllKeys({ labels }: NodeView, constraints: readonly SpreadConstraint[]): boolean {
  return constraints.every(({ topologyKey }) => ownValue(labels, topologyKey) !== undefined);
}

/** Whether the pods of a node count, for a pod that might go there. */
export function counts(constraint: SpreadConstraint, { pod }: PodInfo, { node, taints }: NodeView): boolean {
  if (constraint.honorsAffinity && node && !matchesNodeAffinity(pod, node)) return false;
  return !constraint.honorsTaints || !untolerated(taints, pod.spec?.tolerations, ['NoSchedule', 'NoExecute']);
}

/** Whether pods of that shape count as siblings of the pod. */
export function isSibling({ selector }: SpreadConstraint, { shape }: PodInfo, other: PodShape): boolean {
  if (other.isTerminating || other.namespace !== shape.namespace || selector.isEmpty) return false;
  return selector.matches(other.labels);
}

function withLabelKeys(
  { labelSelector, matchLabelKeys = [] }: TopologySpreadConstraint,
  labels: Readonly<Record<string, string>>,
): LabelMatcher {
  const selector = matcherFrom(labelSelector);
  const added = matchLabelKeys.flatMap((key): LabelRequirement[] => {
    const value = ownValue(labels, key);
    return value === undefined ? [] : [{ key, operator: 'In', values: [value] }];
  });
  return added.length === 0 ? selector : new LabelMatcher([...selector.requirements, ...added]);
}

/** What selects the pods of all services that select this one, and of its controller. */
function siblings(pod: Pod, objects: KnownObjects): LabelMatcher {
  const { namespace = '', labels = {} } = pod.metadata;
  const requirements: LabelRequirement[] = [];
  for (const { metadata, spec } of objects.services.values()) {
    if (metadata.namespace !== namespace || !spec.selector) continue;
    const matcher = matcherFrom({ matchLabels: spec.selector });
    if (matcher.matches(labels)) requirements.push(...matcher.requirements);
  }
  const owner = controllerOf(pod);
  const key = `${namespace}/${owner?.name}`;
  const add = (matcher: LabelMatcher) => requirements.push(...matcher.requirements);
  const ownerKind = `${owner?.apiVersion} ${owner?.kind}`;
  if (ownerKind === 'v1 ReplicationController') {
    const found = objects.replicationControllers.get(key);
    if (found) add(matcherFrom({ matchLabels: found.spec.selector ?? {} }));
  } else if (ownerKind === 'apps/v1 ReplicaSet' || ownerKind === 'apps/v1 StatefulSet') {
    const found = (owner?.kind === 'ReplicaSet' ? objects.replicaSets : objects.statefulSets).get(key);
    if (found) add(matcherFrom(found.spec.selector));
  }
  return new LabelMatcher(requirements);
}

import { kinds } from '@wherry/client';
import {
  type DaemonSet,
  type Node,
  ownValue,
  type Pod,
  type PodSpec,
  type Toleration,
} from '@wherry/kubeapi/objects';
import { matchesNodeAffinity, taintKeys, untolerated } from '@wherry/podrules';
import { podFromTemplate } from '../ownership/pod-writes.ts';
import { revisionHashLabel } from '../ownership/revision-history.ts';

const generationAnnotation = 'deprecated.daemonset.template.generation';
const generationLabel = 'pod-template-generation';

/** What every daemon pod bears, whatever its template says (upstream: AddOrUpdateDaemonPodTolerations). */
function daemonTolerations({ hostNetwork }: PodSpec): Toleration[] {
  const exists = (key: string, effect: 'NoExecute' | 'NoSchedule') =>
    ({ key, operator: 'Exists', effect }) as const;
  return [
    exists(taintKeys.notReady, 'NoExecute'),
    exists(taintKeys.unreachable, 'NoExecute'),
    exists(taintKeys.diskPressure, 'NoSchedule'),
    exists(taintKeys.memoryPressure, 'NoSchedule'),
    exists(taintKeys.pidPressure, 'NoSchedule'),
    exists(taintKeys.unschedulable, 'NoSchedule'),
    ...(hostNetwork ? [exists(taintKeys.networkUnavailable, 'NoSchedule')] : []),
  ];
}

/** What the template says of the same stands where it was, with what every daemon pod bears. */
function withTolerations(spec: PodSpec): PodSpec {
  const added = daemonTolerations(spec);
  const same = (one: Toleration, other: Toleration) =>
    one.key === other.key && one.effect === other.effect && one.operator === other.operator;
  const own = (spec.tolerations ?? []).map((each) => added.find((other) => same(each, other)) ?? each);
  return { ...spec, tolerations: [...own, ...added.filter((each) => !own.includes(each))] };
}

/** The pod of a set for one node: it can run nowhere else. */
export function daemonPod(set: DaemonSet, nodeName: string, hash: string): Pod {
  const generation = ownValue(set.metadata.annotations, generationAnnotation);
  const labels = {
    [revisionHashLabel]: hash,
    ...(generation === undefined ? {} : { [generationLabel]: generation }),
  };
  const pod = podFromTemplate(set.spec.template, set, kinds.daemonSets, { labels });
  const spec = withTolerations(pod.spec!);
  const nodeAffinity = {
    ...spec.affinity?.nodeAffinity,
    requiredDuringSchedulingIgnoredDuringExecution: {
      nodeSelectorTerms: [
        { matchFields: [{ key: 'metadata.name', operator: 'In' as const, values: [nodeName] }] },
      ],
    },
  };
  return { ...pod, spec: { ...spec, affinity: { ...spec.affinity, nodeAffinity } } };
}

/** The node that a daemon pod is on, or is meant for. */
export function nodeOfPod({ spec }: Pod): string | undefined {
  if (spec?.nodeName) return spec.nodeName;
  const terms = spec?.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  return terms?.nodeSelectorTerms
    .flatMap(({ matchFields = [] }) => matchFields)
    .find(({ key }) => key === 'metadata.name')?.values?.[0];
}

/** Whether a set is to have a pod on a node, and whether one that is there may stay (upstream: NodeShouldRunDaemonPod). */
export function placeOn(set: DaemonSet, node: Node): { shouldRun: boolean; mayStay: boolean } {
  const { spec = { containers: [] } } = set.spec.template;
  const { tolerations } = withTolerations(spec);
  const isOther = spec.nodeName !== undefined && spec.nodeName !== '' && spec.nodeName !== node.metadata.name;
  if (isOther || !matchesNodeAffinity({ spec }, node)) return { shouldRun: false, mayStay: false };
  const keepsOff = (...effects: ('NoExecute' | 'NoSchedule')[]) =>
    untolerated(node.spec?.taints, tolerations, effects) !== undefined;
  if (!keepsOff('NoExecute', 'NoSchedule')) return { shouldRun: true, mayStay: true };
  return { shouldRun: false, mayStay: !keepsOff('NoExecute') };
}

/** Whether a pod is of the set's present template. */
export function isUpdated(set: DaemonSet, pod: Pod, hash: string): boolean {
  const generation = ownValue(set.metadata.annotations, generationAnnotation);
  const labels = pod.metadata.labels;
  return (
    ownValue(labels, revisionHashLabel) === hash ||
    (generation !== undefined && ownValue(labels, generationLabel) === generation)
  );
}

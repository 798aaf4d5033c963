import type { Node, Taint, Toleration } from '@wherry/kubeapi';

/** Taint keys that the node life-cycle sets (upstream: k8s.io/api/core/v1/well_known_taints.go). */
export const taintKeys = {
  notReady: 'node.kubernetes.io/not-ready',
  unreachable: 'node.kubernetes.io/unreachable',
  unschedulable: 'node.kubernetes.io/unschedulable',
} as const;

/** Whether one toleration covers one taint. */
export function tolerates(toleration: Toleration, taint: Taint): boolean {
  if (toleration.effect && toleration.effect !== taint.effect) return false;
  if (toleration.operator === 'Exists') return !toleration.key || toleration.key === taint.key;
  return toleration.key === taint.key && (toleration.value ?? '') === (taint.value ?? '');
}

/** The first taint of the given effects that no toleration covers. */
export function untolerated(
  taints: Taint[],
  tolerations: Toleration[] | undefined,
  effects: string[],
): Taint | undefined {
  return taints.find(
    (taint) =>
      effects.includes(taint.effect) &&
      !(tolerations ?? []).some((toleration) => tolerates(toleration, taint)),
  );
}

/** A node's condition by type, or undefined. */
export function nodeCondition(node: Node, type: string) {
  return node.status?.conditions?.find((condition) => condition.type === type);
}

/**
 * A node's taints as the scheduler must see them: those of its spec, and those that follow from what it says of itself
 * before the node life-cycle has written them down.
 */
export function effectiveTaints(node: Node): Taint[] {
  const taints = [...(node.spec?.taints ?? [])];
  const imply = (key: string) => {
    if (!taints.some((taint) => taint.key === key)) taints.push({ key, effect: 'NoSchedule' });
  };
  if (nodeCondition(node, 'Ready')?.status !== 'True') imply(taintKeys.notReady);
  if (node.spec?.unschedulable) imply(taintKeys.unschedulable);
  return taints;
}

import type { Node, Taint, Toleration } from '@wherry/kubeapi';

/** Taint keys that the node life-cycle sets (upstream: k8s.io/api/core/v1/well_known_taints.go). */
export const taintKeys = {
  notReady: 'node.kubernetes.io/not-ready',
  unreachable: 'node.kubernetes.io/unreachable',
  unschedulable: 'node.kubernetes.io/unschedulable',
  memoryPressure: 'node.kubernetes.io/memory-pressure',
  diskPressure: 'node.kubernetes.io/disk-pressure',
  pidPressure: 'node.kubernetes.io/pid-pressure',
  networkUnavailable: 'node.kubernetes.io/network-unavailable',
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

const keysOfConditions: readonly [condition: string, key: string][] = [
  ['MemoryPressure', taintKeys.memoryPressure],
  ['DiskPressure', taintKeys.diskPressure],
  ['PIDPressure', taintKeys.pidPressure],
  ['NetworkUnavailable', taintKeys.networkUnavailable],
];

/** Taint keys, all of effect NoSchedule, that follow from what a node says it is short of, and from cordon. */
export function shortageKeys(node: Node): string[] {
  const short = keysOfConditions.filter(([type]) => nodeCondition(node, type)?.status === 'True');
  return [...short.map(([, key]) => key), ...(node.spec?.unschedulable ? [taintKeys.unschedulable] : [])];
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
  for (const key of shortageKeys(node)) imply(key);
  return taints;
}

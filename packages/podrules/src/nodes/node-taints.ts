import type { Node, NodeCondition, Taint } from '@wherry/kubeapi/objects';
import { taintKeys } from '../well-known.ts';

/** A node's condition by type, or undefined. */
export function nodeCondition(node: Node, type: string): NodeCondition | undefined {
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
 * A node's taints as a scheduler must see them: those of its spec, and those that follow from what it says of itself
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

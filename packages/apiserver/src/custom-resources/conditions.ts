import type { CustomResourceDefinition, CustomResourceDefinitionCondition } from '@wherry/kubeapi';

/** What the conditions of a definition say: its names, whether it is served, whether it goes. */
export type ConditionType = 'Established' | 'NamesAccepted' | 'Terminating';

/** A condition without its times. */
export interface Condition {
  type: ConditionType;
  status: 'True' | 'False';
  reason: string;
  message: string;
}

/** True where the condition is there and holds. */
export function holds({ status }: CustomResourceDefinition, wanted: ConditionType): boolean {
  return status?.conditions?.some(({ type, status }) => type === wanted && status === 'True') === true;
}

/** The conditions with another one in its place; the time of its change stays where its status does. */
export function withCondition(
  conditions: readonly CustomResourceDefinitionCondition[],
  next: Condition,
  nowText: string,
): CustomResourceDefinitionCondition[] {
  const at = conditions.findIndex(({ type }) => type === next.type);
  const before = conditions[at];
  const isSame = before?.status === next.status;
  const { type, status, reason, message } = next;
  const lastTransitionTime = (isSame ? before.lastTransitionTime : undefined) ?? nowText;
  const condition = { type, status, lastTransitionTime, reason, message };
  return at < 0 ? [...conditions, condition] : conditions.with(at, condition);
}

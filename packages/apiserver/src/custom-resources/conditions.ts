import type { CustomResourceDefinition, CustomResourceDefinitionCondition } from '@wherry/kubeapi';
import { withCondition } from '../objects/conditions.ts';

/** What the conditions of a definition say: its names, whether it is served, whether it goes, whether Kubernetes has agreed to it. */
export type ConditionType =
  | 'Established'
  | 'KubernetesAPIApprovalPolicyConformant'
  | 'NamesAccepted'
  | 'Terminating';

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
export function withDefinitionCondition(
  conditions: readonly CustomResourceDefinitionCondition[],
  { type, status, reason, message }: Condition,
  nowText: string,
): CustomResourceDefinitionCondition[] {
  return withCondition(conditions, { type, status, lastTransitionTime: nowText, reason, message });
}

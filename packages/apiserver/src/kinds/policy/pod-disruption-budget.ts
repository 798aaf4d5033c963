import { specGenerations } from '../../objects/strategy.ts';
import type { ServedKind } from '../definition.ts';

/** Pod disruption budgets. */
export const podDisruptionBudget: ServedKind = {
  group: 'policy',
  kind: 'PodDisruptionBudget',
  strategy: { ...specGenerations, needsVersionOnUpdate: true },
};

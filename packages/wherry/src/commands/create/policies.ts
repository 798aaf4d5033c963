import type { PodDisruptionBudget, PriorityClass, ResourceQuota } from '@wherry/kubeapi';
import { CommandError } from '../../errors.ts';
import { parseAmounts } from '../../kube/amounts.ts';
import { readLabelSelector } from '../../kube/label-selector.ts';
import { intOrString } from '../../words/int-or-string.ts';

/** Flags of `wherry create quota`. */
export interface QuotaFlags {
  /** `RESOURCE=QUANTITY,...`. */
  hard?: string;
  scopes?: string;
}

/** A ResourceQuota. Throws `CommandError`. */
export function quotaObject(name: string, { hard, scopes }: QuotaFlags): ResourceQuota {
  const limits = hard ? Object.fromEntries(parseAmounts(hard)) : undefined;
  const each = scopes ? scopes.split(',') : undefined;
  if (each?.includes('')) throw new CommandError('invalid resource quota scope ""');
  return {
    ...{ apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name } },
    // The server judges the scopes.
    spec: { ...(limits ? { hard: limits } : {}), ...(each ? { scopes: each as never } : {}) },
  };
}

/** Flags of `wherry create poddisruptionbudget`. */
export interface BudgetFlags {
  selector?: string;
  minAvailable?: string;
  maxUnavailable?: string;
}

const sharePattern = /^\d+%?$/;

/** A PodDisruptionBudget. Throws `CommandError`. */
export function budgetObject(name: string, flags: BudgetFlags): PodDisruptionBudget {
  const { selector, minAvailable = '', maxUnavailable = '' } = flags;
  if (!selector) throw new CommandError('a selector must be specified');
  if (minAvailable === '' && maxUnavailable === '')
    throw new CommandError('one of min-available or max-unavailable must be specified');
  if (minAvailable !== '' && maxUnavailable !== '')
    throw new CommandError('min-available and max-unavailable cannot be both specified');
  const isLeast = minAvailable !== '';
  const share = isLeast ? minAvailable : maxUnavailable;
  if (!sharePattern.test(share)) {
    throw new CommandError(`invalid format specified for ${isLeast ? 'min-available' : 'max-unavailable'}`);
  }
  const amount = intOrString(share);
  return {
    ...{ apiVersion: 'policy/v1', kind: 'PodDisruptionBudget', metadata: { name } },
    spec: {
      ...(isLeast ? { minAvailable: amount } : { maxUnavailable: amount }),
      selector: readLabelSelector(selector),
    },
  };
}

/** Flags of `wherry create priorityclass`. */
export interface PriorityClassFlags {
  value: number;
  globalDefault?: boolean;
  description?: string;
  /** As the server has it; it refuses what does not go. */
  preemptionPolicy: 'PreemptLowerPriority' | 'Never';
}

/** A PriorityClass. */
export const priorityClassObject = (name: string, flags: PriorityClassFlags): PriorityClass => ({
  ...{ apiVersion: 'scheduling.k8s.io/v1', kind: 'PriorityClass', metadata: { name } },
  value: flags.value,
  ...(flags.globalDefault ? { globalDefault: true } : {}),
  ...(flags.description ? { description: flags.description } : {}),
  preemptionPolicy: flags.preemptionPolicy,
});

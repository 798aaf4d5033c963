import {
  type LabelSelector,
  type PodDisruptionBudget,
  type PriorityClass,
  parseLabelSelector,
  parseQuantity,
  QuantityError,
  type ResourceQuota,
  StatusError,
} from '@wherry/kubeapi';
import { CommandError } from '../../errors.ts';
import { intOrString } from '../../kube/int-or-string.ts';

/** Flags of `wherry create quota`. */
export interface QuotaFlags {
  /** `RESOURCE=QUANTITY,...`. */
  hard?: string;
  scopes?: string;
}

/** A ResourceQuota. Throws `CommandError`. */
export function quotaObject(name: string, { hard, scopes }: QuotaFlags): ResourceQuota {
  const limits = hard ? Object.fromEntries(hard.split(',').map(parseLimit)) : undefined;
  const each = scopes ? scopes.split(',') : undefined;
  if (each?.includes('')) throw new CommandError('invalid resource quota scope ""');
  return {
    ...{ apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name } },
    // The server judges the scopes.
    spec: { ...(limits ? { hard: limits } : {}), ...(each ? { scopes: each as never } : {}) },
  };
}

function parseLimit(text: string): [resource: string, quantity: string] {
  const [resource = '', quantity, ...more] = text.split('=');
  if (quantity === undefined || more.length > 0)
    throw new CommandError(`Invalid argument syntax ${text}, expected <resource>=<value>`);
  try {
    return [resource, parseQuantity(quantity).toString()];
  } catch (error) {
    if (!(error instanceof QuantityError)) throw error;
    throw new CommandError(error.message, { cause: error });
  }
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
      selector: selectorOf(selector),
    },
  };
}

/** What is one value is a label; everything else an expression. */
function selectorOf(text: string): LabelSelector {
  const requirements = parsed(text);
  const isLabel = (one: (typeof requirements)[number]) => one.operator === 'In' && one.values.length === 1;
  const labels = requirements.filter(isLabel).map(({ key, values }) => [key, values[0]]);
  const expressions = requirements.filter((one) => !isLabel(one));
  const other = expressions.find(({ operator }) => operator === 'GreaterThan' || operator === 'LessThan');
  if (other) throw new CommandError(`"${other.operator}" isn't supported in label selectors`);
  return {
    ...(labels.length > 0 ? { matchLabels: Object.fromEntries(labels) } : {}),
    ...(expressions.length > 0
      ? {
          matchExpressions: expressions.map(({ key, operator, values }) => ({
            ...{ key, operator: operator as 'In' },
            ...(values.length > 0 ? { values: [...values] } : {}),
          })),
        }
      : {}),
  };
}

function parsed(text: string) {
  try {
    return parseLabelSelector(text).requirements;
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    throw new CommandError(`couldn't parse the selector string "${text}": ${error.message}`, {
      cause: error,
    });
  }
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

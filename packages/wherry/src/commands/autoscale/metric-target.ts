import { canonicalQuantity, type MetricTarget, QuantityError } from '@wherry/kubeapi';
import { CommandError } from '../../errors.ts';

/** What a bare number counts. */
const units = { cpu: 'm', memory: 'Mi' } as const;

const percentMax = 2 ** 31 - 1;

/** `70%` of what pods ask for, or an amount of each of them: `500m`, `1Gi`, and a number in the unit of the resource. */
export function readTarget(resource: keyof typeof units, text: string): MetricTarget {
  const input = text.trim();
  if (input === '') throw new CommandError('empty input');
  if (input.endsWith('%'))
    return { type: 'Utilization', averageUtilization: readPercent(input.slice(0, -1)) };
  const isBare = /^[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?$/.test(input);
  const amount = isBare ? `${Number(input)}${units[resource]}` : input;
  return {
    type: 'AverageValue',
    averageValue: readAmount(amount, `invalid resource ${resource} value: ${input}`),
  };
}

function readPercent(text: string): number {
  const percent = /^[-+]?\d+$/.test(text) ? Number(text) : -1;
  if (percent >= 0 && percent <= percentMax) return percent;
  throw new CommandError(`invalid percentage value: ${text}`);
}

function readAmount(text: string, problem: string): string {
  try {
    return canonicalQuantity(text);
  } catch (error) {
    if (error instanceof QuantityError) throw new CommandError(problem, { cause: error });
    throw error;
  }
}

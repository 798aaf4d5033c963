import type { KubeObject } from '@wherry/client';
import { age } from '@wherry/kubeapi/printers';
import type { Tone } from './tones.ts';

/** One condition of an object, as its page shows it. */
export interface ConditionRow {
  type: string;
  status: string;
  since: string;
  reason: string;
  message: string;
  tone: Tone;
}

/** A condition as most kinds have them. */
interface Condition {
  type: string;
  status: string;
  lastTransitionTime?: unknown;
  reason?: unknown;
  message?: unknown;
}

/** Which conditions tell of trouble where they are True; of all others it is trouble, or a wait, where they are not. */
export type Polarity = (type: string) => boolean;

/** Of a node, all but one. */
export const nodeTroubles: Polarity = (type) => type !== 'Ready';

/** Of other kinds, by the words that their authors use for it. */
export const usualTroubles: Polarity = (type) =>
  /Fail|Degraded|Stalled|Terminating|DisruptionTarget|Infeasible|NonStructuralSchema|Unavailable/.test(type);

/** The conditions of an object; none where its status has none of the usual form. */
export function conditionsOf(object: KubeObject): Condition[] {
  const { conditions } = (object as { status?: { conditions?: unknown } }).status ?? {};
  if (!Array.isArray(conditions)) return [];
  return conditions.filter(
    (one): one is Condition => typeof one?.type === 'string' && typeof one.status === 'string',
  );
}

/** The same as rows. A pure function. */
export const conditionRows = (
  object: KubeObject,
  { nowMs, isBad = usualTroubles }: { nowMs: number; isBad?: Polarity },
): ConditionRow[] =>
  conditionsOf(object).map((condition) => ({
    ...{ type: condition.type, status: condition.status },
    since: age(textOf(condition.lastTransitionTime) || undefined, nowMs),
    ...{ reason: textOf(condition.reason), message: textOf(condition.message) },
    tone: toneOf(condition, isBad),
  }));

function toneOf({ type, status }: Condition, isBad: Polarity): Tone {
  if (isBad(type)) return status === 'False' ? 'good' : 'bad';
  return status === 'True' ? 'good' : 'waiting';
}

/** What is wrong, by the conditions that tell of trouble: `Ready: Kubelet stopped posting node status.` */
export function troubleText(object: KubeObject, isBad: Polarity = usualTroubles): string | undefined {
  const words = conditionsOf(object)
    .filter((condition) => toneOf(condition, isBad) !== 'good')
    .map(({ type, status, reason, message }) => `${type}: ${textOf(message) || textOf(reason) || status}`);
  return words.join('; ') || undefined;
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

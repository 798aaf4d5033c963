import { timeFromMs } from '@wherry/kubeapi/objects';
import type { Condition } from '@wherry/kubeapi/types';

/** A condition before it has a time: `lastTransitionTime` is {@link withCondition}'s. */
export type WantedCondition = Omit<Condition, 'lastTransitionTime'>;

/**
 * A status's conditions with this one in the place of that of its type, or at the end: its time is that of the one before as long as
 * the status is the same, else `now`. As `meta.SetStatusCondition` of apimachinery.
 */
export function withCondition(
  conditions: readonly Condition[] | undefined,
  wanted: WantedCondition,
  now: Date,
): Condition[] {
  const all = conditions ?? [];
  const known = all.find(({ type }) => type === wanted.type);
  const isSame = known?.status === wanted.status;
  const time = isSame ? known.lastTransitionTime : timeFromMs(now.getTime());
  const condition: Condition = { ...wanted, lastTransitionTime: time };
  return known ? all.map((each) => (each === known ? condition : each)) : [...all, condition];
}

/** Whether the condition of a type is there and `True`. */
export function isConditionTrue(
  conditions: readonly Pick<Condition, 'type' | 'status'>[] | undefined,
  type: string,
): boolean {
  return conditions?.some((each) => each.type === type && each.status === 'True') === true;
}

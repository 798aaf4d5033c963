/** What conditions of all kinds have. */
interface Condition {
  type: string;
  status: string;
  lastTransitionTime?: string | null | undefined;
}

/**
 * The conditions with one as it is now, at its type's place; the time of its change stays where its status does (upstream:
 * SetStatusCondition, UpdatePodCondition).
 */
export function withCondition<T extends Condition>(
  conditions: readonly T[] | undefined = [],
  condition: T,
): T[] {
  const at = conditions.findIndex(({ type }) => type === condition.type);
  const before = conditions[at];
  const since = before?.status === condition.status ? before.lastTransitionTime : undefined;
  const next = since ? { ...condition, lastTransitionTime: since } : condition;
  return at < 0 ? [...conditions, next] : conditions.with(at, next);
}

/** What all kinds' conditions have. */
export interface Condition {
  type: string;
  status: string;
  reason?: string;
  message?: string;
  lastTransitionTime?: string;
}

/** The condition of a type. */
export function conditionOf<C extends Condition>(
  conditions: readonly C[] | undefined,
  type: string,
): C | undefined {
  return conditions?.find((each) => each.type === type);
}

/**
 * The conditions with this one last; unchanged when one of its type says the same, in status and reason, already. The
 * time of the transition stays while the status does.
 */
export function withCondition<C extends Condition>(conditions: readonly C[] | undefined, condition: C): C[] {
  const known = conditionOf(conditions, condition.type);
  if (known?.status === condition.status && known.reason === condition.reason) return [...conditions!];
  const kept =
    known?.status === condition.status && known.lastTransitionTime
      ? { ...condition, lastTransitionTime: known.lastTransitionTime }
      : condition;
  return [...withoutCondition(conditions, condition.type), kept];
}

/** The conditions of all other types. */
export function withoutCondition<C extends Condition>(
  conditions: readonly C[] | undefined,
  type: string,
): C[] {
  return (conditions ?? []).filter((each) => each.type !== type);
}

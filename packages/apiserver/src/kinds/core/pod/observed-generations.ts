import type { Pod } from '@wherry/kubeapi';

/**
 * Who writes a status without the generations that it was of, since it does not know them, takes none back: those that
 * were there stay, of conditions the first of each type for the first one, and so on.
 */
export function keepObservedGenerations(next: Pod, previous: Pod): void {
  const { status } = next;
  if (!status) return;
  const { observedGeneration, conditions = [] } = previous.status ?? {};
  if (!status.observedGeneration && observedGeneration) status.observedGeneration = observedGeneration;
  const left = [...conditions];
  status.conditions?.forEach((condition, at, all) => {
    const index = left.findIndex(({ type }) => type === condition.type);
    const [before] = index < 0 ? [] : left.splice(index, 1);
    if (condition.observedGeneration || !before?.observedGeneration) return;
    all[at] = { ...condition, observedGeneration: before.observedGeneration };
  });
}

import { isDeepStrictEqual } from 'node:util';
import type { Toleration } from '@wherry/kubeapi';

/** Both lists as one, without what another of them covers; of equal ones the first stays (upstream: util/tolerations). */
export function mergeTolerations(first: readonly Toleration[], second: readonly Toleration[]): Toleration[] {
  const all = [...first, ...second];
  const merged: Toleration[] = [];
  for (const [index, toleration] of all.entries()) {
    const isKnown = merged.some((other) => coversToleration(other, toleration));
    const later = all.slice(index + 1);
    const isCovered = later.some(
      (other) => !isDeepStrictEqual(other, toleration) && coversToleration(other, toleration),
    );
    if (!isKnown && !isCovered) merged.push(toleration);
  }
  return merged;
}

/** Whether the one tolerates all that the other does. */
export function coversToleration(wide: Toleration, narrow: Toleration): boolean {
  if (isDeepStrictEqual(wide, narrow)) return true;
  const isForAllKeys = !wide.key && wide.operator === 'Exists';
  if ((wide.key ?? '') !== (narrow.key ?? '') && !isForAllKeys) return false;
  if (wide.effect && wide.effect !== narrow.effect) return false;
  if (wide.effect === 'NoExecute' && wide.tolerationSeconds !== undefined) {
    if ((narrow.tolerationSeconds ?? Number.POSITIVE_INFINITY) > wide.tolerationSeconds) return false;
  }
  if (wide.operator === 'Exists') return true;
  const isEqual = narrow.operator === 'Equal' && (narrow.value ?? '') === (wide.value ?? '');
  return (!wide.operator || wide.operator === 'Equal') && isEqual;
}

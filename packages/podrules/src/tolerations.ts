import type { Taint, Toleration } from '@wherry/kubeapi/objects';

/** Whether one toleration covers one taint (k8s.io/api/core/v1 Toleration.ToleratesTaint; `Lt` and `Gt` are off). */
export function tolerates({ key, operator, value, effect }: Toleration, taint: Taint): boolean {
  if (effect && effect !== taint.effect) return false;
  if (key && key !== taint.key) return false;
  if (operator === 'Exists') return true;
  return (operator || 'Equal') === 'Equal' && (value ?? '') === (taint.value ?? '');
}

/** Whether any of the tolerations covers the taint. */
export function isTolerated(taint: Taint, tolerations: readonly Toleration[] | undefined): boolean {
  return (tolerations ?? []).some((toleration) => tolerates(toleration, taint));
}

/** The first taint of the given effects that no toleration covers. */
export function untolerated(
  taints: readonly Taint[] | undefined,
  tolerations: readonly Toleration[] | undefined,
  effects: readonly Taint['effect'][],
): Taint | undefined {
  return taints?.find((taint) => effects.includes(taint.effect) && !isTolerated(taint, tolerations));
}

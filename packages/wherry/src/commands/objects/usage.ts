import { ownValue, parseQuantity } from '@wherry/kubeapi';

/** What something takes, by resource, as the metrics API says it. */
export type Usage = Record<string, string>;

/** What `wherry top` sorts by. */
export const measuredResources = ['cpu', 'memory'] as const;
export type MeasuredResource = (typeof measuredResources)[number];

const mebibyte = 2 ** 20;

/** The sum of one resource: cores or bytes. */
export const amount = (usages: readonly Usage[], resource: MeasuredResource) =>
  usages.reduce((sum, usage) => sum + parseQuantity(ownValue(usage, resource) ?? '0').toNumber(), 0);

/** Millicores, rounded up, and mebibytes, rounded down, as kubectl writes them. */
export const usageText = (usages: readonly Usage[], resource: MeasuredResource) =>
  resource === 'cpu'
    ? `${Math.ceil(amount(usages, 'cpu') * 1_000)}m`
    : `${Math.floor(amount(usages, 'memory') / mebibyte)}Mi`;

/** How much of what there is, in whole percents, rounded down. `<unknown>` where nobody says what there is. */
export function shareText(usage: Usage, available: Usage | undefined, resource: MeasuredResource): string {
  const all = available && ownValue(available, resource);
  if (all === undefined) return '<unknown>';
  const most = parseQuantity(all).toNumber();
  return `${most === 0 ? 0 : Math.floor((amount([usage], resource) / most) * 100)}%`;
}

/** By what they take of a resource, most first, or else by their names. */
export function byUsage<T>(
  items: readonly T[],
  {
    sortBy,
    usages,
    name,
  }: { sortBy?: MeasuredResource; usages(item: T): readonly Usage[]; name(item: T): string },
): T[] {
  const byName = (one: T, other: T) => (name(one) < name(other) ? -1 : 1);
  if (sortBy === undefined) return [...items].sort(byName);
  return [...items].sort(
    (one, other) => amount(usages(other), sortBy) - amount(usages(one), sortBy) || byName(one, other),
  );
}

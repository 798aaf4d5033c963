import { ownValue, parseQuantity, type Quantity } from '@wherry/kubeapi';

/** What something takes, by resource, as the metrics API says it. */
export type Usage = Record<string, string>;

/** What `wherry top` tells of; swap where somebody asks. */
export type MeasuredResource = 'cpu' | 'memory' | 'swap';

/** What `wherry top` sorts by. */
export type SortedResource = Exclude<MeasuredResource, 'swap'>;

/** The columns of a resource: what is taken of it, and how much of what there is. */
export const titles: Record<MeasuredResource, readonly [taken: string, share: string]> = {
  cpu: ['CPU(cores)', 'CPU(%)'],
  memory: ['MEMORY(bytes)', 'MEMORY(%)'],
  swap: ['SWAP(bytes)', 'SWAP(%)'],
};

/** What is measured, in the order of the columns. */
export const measuredResources = ({ showSwap }: { showSwap?: boolean }): MeasuredResource[] =>
  showSwap ? ['cpu', 'memory', 'swap'] : ['cpu', 'memory'];

const mebibyte = 2n ** 20n;

/** The sum of one resource: cores or bytes. */
function amount(usages: readonly Usage[], resource: MeasuredResource): Quantity {
  const amounts = usages.map((usage) => parseQuantity(ownValue(usage, resource) ?? '0'));
  return amounts.reduce((sum, one) => sum.add(one), parseQuantity('0'));
}

/** Millicores, rounded up, and mebibytes, rounded down, as kubectl writes them. */
export function usageText(usages: readonly Usage[], resource: MeasuredResource): string {
  const taken = amount(usages, resource);
  return resource === 'cpu' ? `${taken.milliValue()}m` : `${taken.value() / mebibyte}Mi`;
}

/** How much of what there is, in whole percents, rounded down. `<unknown>` where nobody says what there is. */
export function shareText(usage: Usage, available: Usage | undefined, resource: MeasuredResource): string {
  const all = available && ownValue(available, resource);
  if (all === undefined) return '<unknown>';
  const most = Number(parseQuantity(all).milliValue());
  const taken = Number(amount([usage], resource).milliValue());
  return `${most === 0 ? 0 : Math.floor((taken / most) * 100)}%`;
}

/** By what they take of a resource, most first, or else by their names. */
export function byUsage<T>(
  items: readonly T[],
  {
    sortBy,
    usages,
    name,
  }: { sortBy?: SortedResource; usages(item: T): readonly Usage[]; name(item: T): string },
): T[] {
  const byName = (one: T, other: T) => (name(one) < name(other) ? -1 : 1);
  if (sortBy === undefined) return [...items].sort(byName);
  return [...items].sort(
    (one, other) => amount(usages(other), sortBy).cmp(amount(usages(one), sortBy)) || byName(one, other),
  );
}

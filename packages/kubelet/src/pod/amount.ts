import { parseQuantity } from '@wherry/kubeapi';

/** A resource quantity such as `250m` or `64Mi` as a number of its base unit (cores, bytes). */
export function amountOf(quantity: string): number {
  return parseQuantity(quantity).toNumber();
}

/** A quantity in thousandths of its base unit, rounded up: millicores of a cpu quantity. */
export function milliAmountOf(quantity: string): number {
  return Math.ceil(amountOf(quantity) * 1_000 - 1e-9);
}

const binaryUnits = ['', 'Ki', 'Mi', 'Gi', 'Ti'] as const;

/** A number of bytes in the largest unit that leaves no rest: `2Mi`, `1Gi`, `0`. */
export function binaryAmount(bytes: number): string {
  let rest = bytes;
  let unit = 0;
  while (rest !== 0 && rest % 1_024 === 0 && unit < binaryUnits.length - 1) {
    rest /= 1_024;
    unit += 1;
  }
  return `${rest}${binaryUnits[unit]}`;
}

const hugePagesPrefix = 'hugepages-';

/** The name of the resource of pages of that size: `hugepages-2Mi`. */
export const hugePagesName = (pageBytes: number): string => `${hugePagesPrefix}${binaryAmount(pageBytes)}`;

/** Whether a resource is one of huge pages. */
export const isHugePages = (name: string): boolean => name.startsWith(hugePagesPrefix);

/** Bytes of the pages that such a resource counts. */
export const pageBytesOf = (name: string): number => amountOf(name.slice(hugePagesPrefix.length));

import { parseQuantity } from '@wherry/kubeapi';

/** A resource quantity such as `250m` or `64Mi` as a number of its base unit (cores, bytes). */
export function amountOf(quantity: string): number {
  return parseQuantity(quantity).toNumber();
}

/** A quantity in thousandths of its base unit, rounded up: millicores of a cpu quantity. */
export function milliAmountOf(quantity: string): number {
  return Math.ceil(amountOf(quantity) * 1_000 - 1e-9);
}

/** `--sort-by` (kubectl pkg/cmd/get: sorter.go). */
import { isNumber } from '@wherry/kubeapi';
import { parseQuantity, type Quantity } from '@wherry/kubeapi/objects';
import { CommandError } from '../../errors.ts';
import { relaxedPath, valuesAt } from './relaxed-path.ts';

/**
 * The items in the order of a field; those without it come first. Throws `CommandError` where no item has it, and where what they
 * have can't be put into an order.
 */
export function sortedBy<T>(items: readonly T[], path: string, objectOf: (item: T) => unknown): T[] {
  if (items.length === 0) return [];
  const template = relaxedPath(path);
  const keyed = items.map((item) => ({ item, key: keyOf(valuesAt(template, objectOf(item))) }));
  if (keyed.every(({ key }) => key === undefined)) {
    const shown = `{.${path.replace(/^\{(.*)\}$/s, '$1').replace(/^\./, '')}}`;
    throw new CommandError(
      `couldn't find any field with path ${JSON.stringify(shown)} in the list of objects`,
    );
  }
  return keyed.sort((one, other) => order(one.key, other.key, path)).map(({ item }) => item);
}

/** What an item is sorted by: the first value that it has there. Amounts are read once, not with each comparison. */
interface SortKey {
  value: unknown;
  amount: Quantity | undefined;
}

function keyOf([value]: readonly unknown[]): SortKey | undefined {
  if (value === undefined) return undefined;
  return { value, amount: typeof value === 'string' ? quantityOf(value) : undefined };
}

function order(one: SortKey | undefined, other: SortKey | undefined, path: string): number {
  if (!one || !other) return Number(one !== undefined) - Number(other !== undefined);
  // Texts that are quantities by their amounts, others by their bytes.
  if (one.amount && other.amount) return one.amount.cmp(other.amount);
  return compared(one.value, other.value, path);
}

function compared(one: unknown, other: unknown, path: string): number {
  if (one === null || other === null) return Number(one !== null) - Number(other !== null);
  if (isNumber(one) && isNumber(other)) return Number(one > other) - Number(one < other);
  if (typeof one === 'string' && typeof other === 'string')
    return Buffer.compare(Buffer.from(one), Buffer.from(other));
  throw new CommandError(`Field {.${path}} is an unsortable type: ${typeof one}`);
}

function quantityOf(text: string): Quantity | undefined {
  try {
    return parseQuantity(text);
  } catch {
    return undefined;
  }
}

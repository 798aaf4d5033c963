/** `--sort-by` (kubectl pkg/cmd/get: sorter.go). */
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
  const keyed = items.map((item) => ({ item, values: valuesAt(template, objectOf(item)) }));
  if (keyed.every(({ values }) => values.length === 0)) {
    const shown = `{.${path.replace(/^\{(.*)\}$/s, '$1').replace(/^\./, '')}}`;
    throw new CommandError(
      `couldn't find any field with path ${JSON.stringify(shown)} in the list of objects`,
    );
  }
  return keyed.sort((one, other) => order(one.values, other.values, path)).map(({ item }) => item);
}

function order(one: readonly unknown[], other: readonly unknown[], path: string): number {
  if (one.length === 0 || other.length === 0) return one.length - other.length;
  return compared(one[0], other[0], path);
}

function compared(one: unknown, other: unknown, path: string): number {
  if (one === null || other === null) return Number(one !== null) - Number(other !== null);
  if (typeof one === 'number' && typeof other === 'number') return one - other;
  if (typeof one === 'string' && typeof other === 'string') return comparedTexts(one, other);
  throw new CommandError(`Field {.${path}} is an unsortable type: ${typeof one}`);
}

/** Texts that are quantities by their amounts, others by their bytes. */
function comparedTexts(one: string, other: string): number {
  const [left, right] = [quantityOf(one), quantityOf(other)];
  if (left && right) return left.cmp(right);
  return Buffer.compare(Buffer.from(one), Buffer.from(other));
}

function quantityOf(text: string): Quantity | undefined {
  try {
    return parseQuantity(text);
  } catch {
    return undefined;
  }
}

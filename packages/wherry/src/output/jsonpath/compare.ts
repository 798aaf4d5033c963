/** How filters compare (client-go third_party/forked/golang/template: funcs.go). */
import { isNumber, isWhole } from '@wherry/kubeapi';
import { JsonPathError } from './jsonpath-error.ts';

/** Throws {@link JsonPathError} for values that can't be compared, whole numbers with others among them. */
export function compare(left: unknown, operator: string, right: unknown): boolean {
  switch (operator) {
    case '==':
      return isEqual(left, right);
    case '!=':
      return !isEqual(left, right);
    case '<':
      return isLess(left, right);
    case '<=':
      return isLess(left, right) || isEqual(left, right);
    case '>':
      return !(isLess(left, right) || isEqual(left, right));
    case '>=':
      return !isLess(left, right);
    default:
      throw new JsonPathError(`unrecognized filter operator ${operator}`);
  }
}

function isEqual(left: unknown, right: unknown): boolean {
  kindOfBoth(left, right);
  return left === right;
}

function isLess(left: unknown, right: unknown): boolean {
  if (kindOfBoth(left, right) === 'boolean') throw new JsonPathError('invalid type for comparison');
  return (left as number) < (right as number);
}

function kindOfBoth(left: unknown, right: unknown): string {
  const [one, other] = [kindOf(left), kindOf(right)];
  if (one !== other) throw new JsonPathError('incompatible types for comparison');
  return one;
}

function kindOf(value: unknown): string {
  if (isNumber(value)) return isWhole(value) ? 'integer' : 'float';
  if (typeof value === 'string' || typeof value === 'boolean') return typeof value;
  throw new JsonPathError('invalid type for comparison');
}

import { GoInt, goType } from '../../go-values/go-value.ts';
import { printValue } from '../../go-values/print.ts';
import { noFlags } from '../../go-values/print-flags.ts';
import { opened, type Value } from './value.ts';

type Basic = { kind: 'bool' | 'int' | 'float' | 'string'; value: boolean | bigint | number | string };

/** `eq`: true where `first` equals one of the others. Throws `SyntaxError` with Go's words, as all of these do. */
export function isEqual(first: Value, others: readonly Value[]): boolean {
  if (others.length === 0) throw new SyntaxError('missing argument for comparison');
  return others.some((other) => isSame(opened(first), opened(other)));
}

function isSame(first: ReturnType<typeof opened>, other: ReturnType<typeof opened>): boolean {
  const [one, two] = [basic(first), basic(other)];
  if (one?.kind !== two?.kind) {
    if (first === undefined || other === undefined) return false;
    throw unlike(first, other);
  }
  if (one && two) return one.value === two.value;
  if (first === undefined || other === undefined) return first === other;
  // Both are maps or lists, which Go compares with nil alone. The words stand as Go mixes them.
  if (Array.isArray(first) !== Array.isArray(other)) {
    throw new SyntaxError(
      `non-comparable types ${byString(first)}: ${goType(first)}, ${goType(other)}: ${printValue(other, 'v', noFlags())}`,
    );
  }
  throw new SyntaxError(`non-comparable type ${byString(other)}: ${goType(other)}`);
}

/** `lt`. */
export function isLess(first: Value, other: Value): boolean {
  const [left, right] = [opened(first), opened(other)];
  const [one, two] = [basic(left), basic(right)];
  if (!one || !two) throw new SyntaxError('invalid type for comparison');
  if (one.kind !== two.kind) throw unlike(left ?? null, right ?? null);
  if (one.kind === 'bool') throw new SyntaxError('invalid type for comparison');
  return one.value < two.value;
}

/** `le`. */
export const isAtMost = (first: Value, other: Value): boolean =>
  isLess(first, other) || isEqual(first, [other]);

/** `gt`. */
export const isGreater = (first: Value, other: Value): boolean => !isAtMost(first, other);

/** `ge`. */
export const isAtLeast = (first: Value, other: Value): boolean => !isLess(first, other);

function basic(value: ReturnType<typeof opened>): Basic | undefined {
  if (typeof value === 'string') return { kind: 'string', value };
  if (typeof value === 'boolean') return { kind: 'bool', value };
  if (typeof value === 'number') return { kind: 'float', value };
  return value instanceof GoInt ? { kind: 'int', value: value.value } : undefined;
}

const unlike = (...values: Parameters<typeof goType>[0][]) =>
  new SyntaxError(`incompatible types for comparison: ${values.map(goType).join(' and ')}`);

const byString = (value: Parameters<typeof goType>[0]) => printValue(value, 's', noFlags());

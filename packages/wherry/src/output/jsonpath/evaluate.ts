import { ownValue } from '@wherry/kubeapi';
import type { Operand, Operator, Part, Step } from './parse.ts';

/** Writes a template with the values that its paths find in `document`. What is not there is written as nothing. */
export function writeTemplate(parts: readonly Part[], document: unknown): string {
  return writeParts(parts, document, document);
}

/** The values that a path finds. */
export function findValues(path: readonly Step[], document: unknown): unknown[] {
  return walk(path, [document], document);
}

/** A value as kubectl writes it: text as it is, the rest as JSON. */
export function writeValue(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function writeParts(parts: readonly Part[], current: unknown, root: unknown): string {
  return parts
    .map((part) => {
      if ('text' in part) return part.text;
      if ('path' in part) return walk(part.path, [current], root).map(writeValue).join(' ');
      return walk(part.range, [current], root)
        .map((each) => writeParts(part.body, each, root))
        .join('');
    })
    .join('');
}

function walk(path: readonly Step[], from: unknown[], root: unknown): unknown[] {
  return path.reduce<unknown[]>((values, step) => {
    return step.kind === 'root' ? [root] : values.flatMap((value) => take(step, value, root));
  }, from);
}

function take(step: Exclude<Step, { kind: 'root' }>, value: unknown, root: unknown): unknown[] {
  switch (step.kind) {
    case 'field':
      return fieldOf(value, step.name);
    case 'wildcard':
      return childrenOf(value);
    case 'descent':
      return [value, ...descendantsOf(value)];
    case 'slice':
      return sliceOf(value, step);
    case 'filter':
      return childrenOf(value).filter((item) => holds(step, item, root));
    case 'union':
      return step.paths.flatMap((path) => walk(path, [value], root));
  }
}

function fieldOf(value: unknown, name: string): unknown[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [];
  const found = ownValue(value as Record<string, unknown>, name);
  return found === undefined ? [] : [found];
}

const childrenOf = (value: unknown): unknown[] =>
  typeof value === 'object' && value !== null ? Object.values(value) : [];

const descendantsOf = (value: unknown): unknown[] =>
  childrenOf(value).flatMap((child) => [child, ...descendantsOf(child)]);

function sliceOf(value: unknown, { from, to, by }: Extract<Step, { kind: 'slice' }>): unknown[] {
  if (!Array.isArray(value)) return [];
  return value.slice(from ?? 0, to).filter((_, index) => index % by === 0);
}

function holds(step: Extract<Step, { kind: 'filter' }>, item: unknown, root: unknown): boolean {
  const left = operandValues(step.left, item, root);
  if (step.operator === undefined || step.right === undefined) return left.length > 0;
  const [first] = left;
  const [second] = operandValues(step.right, item, root);
  return first !== undefined && second !== undefined && compare(first, step.operator, second);
}

const operandValues = (operand: Operand, item: unknown, root: unknown): unknown[] =>
  'value' in operand ? [operand.value] : walk(operand.path, [item], root);

function compare(left: unknown, operator: Operator, right: unknown): boolean {
  if (operator === '==') return left === right;
  if (operator === '!=') return left !== right;
  if (typeof left !== typeof right || (typeof left !== 'number' && typeof left !== 'string')) return false;
  const [one, other] = [left, right as typeof left];
  if (operator === '<') return one < other;
  if (operator === '>') return one > other;
  return operator === '<=' ? one <= other : one >= other;
}

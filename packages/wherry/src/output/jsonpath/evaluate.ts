/** What the nodes of an action find (client-go util/jsonpath: walk). */
import { ownValue } from '@wherry/kubeapi';
import { goType, goValue, textOf } from '../go-values/go-value.ts';
import { printed } from '../go-values/print.ts';
import { compare } from './compare.ts';
import { JsonPathError } from './jsonpath-error.ts';
import type { Action, PathNode } from './parse.ts';

/** How paths are followed. */
export interface Walk {
  /** A field that nothing has is a mistake. */
  refusesMissingKeys: boolean;
  /** `range` and `end`, and words that mean nothing. */
  onWord(word: string, values: readonly unknown[]): readonly unknown[];
}

/** What an action finds, from `values` on. Throws {@link JsonPathError}. */
export function evaluate(action: Action, values: readonly unknown[], walk: Walk): readonly unknown[] {
  return action.reduce((found, node) => step(node, found, walk), values);
}

function step(node: PathNode, values: readonly unknown[], walk: Walk): readonly unknown[] {
  switch (node.kind) {
    case 'text':
      return [node.text];
    case 'value':
      return values.map(() => node.value);
    case 'field':
      return fieldsOf(node.name, values, walk);
    case 'wildcard':
      return values.flatMap(childrenOf);
    case 'descent':
      return values.flatMap(descendantsOf);
    case 'slice':
      return itemsOf(node, values);
    case 'filter':
      return values.flatMap((value) => filtered(node, value, walk));
    case 'union':
      return node.actions.flatMap((action) => evaluate(action, values, walk));
    case 'word':
      return walk.onWord(node.word, values);
  }
}

function fieldsOf(
  name: string,
  values: readonly unknown[],
  { refusesMissingKeys }: Walk,
): readonly unknown[] {
  const found = values.flatMap((value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return [];
    const field = ownValue(value as Record<string, unknown>, name);
    return field === undefined ? [] : [field];
  });
  if (found.length === 0 && values.length > 0 && refusesMissingKeys)
    throw new JsonPathError(`${name} is not found`);
  return found;
}

/** Of a text, its bytes. */
function childrenOf(value: unknown): unknown[] {
  if (typeof value === 'string') return [...Buffer.from(value)];
  return typeof value === 'object' && value !== null ? Object.values(value) : [];
}

/** The value and all below it that have something in them. */
function descendantsOf(value: unknown): unknown[] {
  const children = childrenOf(value);
  return children.length === 0 ? [] : [value, ...children.flatMap(descendantsOf)];
}

function itemsOf(slice: Extract<PathNode, { kind: 'slice' }>, values: readonly unknown[]): unknown[] {
  const found: unknown[] = [];
  for (const value of values) {
    if (value === null || value === undefined) continue;
    if (!Array.isArray(value)) throw new JsonPathError(`${goType(goValue(value))} is not array or slice`);
    const { from, to } = boundsOf(slice, value.length);
    if (from === to) return found;
    checkBounds({ from, to }, value.length);
    const { by = 1 } = slice;
    if (by <= 0) throw new JsonPathError('step must be > 0');
    found.push(...value.slice(from, to).filter((_, index) => index % by === 0));
  }
  return found;
}

/** Numbers below 0 count from the end. */
function boundsOf(
  { from, to, isOne }: Extract<PathNode, { kind: 'slice' }>,
  length: number,
): { from: number; to: number } {
  const end = to ?? length;
  const isFromEnd = end < 0 || (end === 0 && isOne);
  return { from: from < 0 ? from + length : from, to: isFromEnd ? end + length : end };
}

function checkBounds({ from, to }: { from: number; to: number }, length: number): void {
  const outside = from >= length || from < 0 ? from : to > length || to < 0 ? to - 1 : undefined;
  if (outside !== undefined)
    throw new JsonPathError(`array index out of bounds: index ${outside}, length ${length}`);
  if (from > to) throw new JsonPathError(`starting index ${from} is greater than ending index ${to}`);
}

function filtered(
  { left, operator, right }: Extract<PathNode, { kind: 'filter' }>,
  value: unknown,
  walk: Walk,
): unknown[] {
  if (!Array.isArray(value)) {
    const shown = value === undefined ? '<invalid reflect.Value>' : textOf(printed(goValue(value)));
    throw new JsonPathError(`${shown} is not array or slice and cannot be filtered`);
  }
  return value.filter((item) => {
    if (operator === 'exists') return exists(left, item, walk);
    const [one, other] = [left, right].map((action) => evaluate(action, [item], walk));
    if (one!.length === 0) return false;
    if (one!.length > 1) throw new JsonPathError('can only compare one element at a time');
    if (other!.length === 0) return false;
    if (other!.length > 1) throw new JsonPathError('can only compare one element at a time');
    return compare(one![0], operator, other![0]);
  });
}

/** A path that can't be followed counts as one that leads somewhere, unless a field is missing. */
function exists(action: Action, item: unknown, walk: Walk): boolean {
  let isMissing = false;
  try {
    const found = evaluate(action, [item], walk);
    isMissing = found.length === 0;
  } catch (error) {
    if (!(error instanceof JsonPathError)) throw error;
    isMissing = error.message.endsWith(' is not found');
  }
  return !isMissing;
}

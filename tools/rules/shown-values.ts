import type { Expression, Node } from 'typescript/unstable/ast';
import {
  isCallExpression,
  isIdentifier,
  isTaggedTemplateExpression,
  isTemplateSpan,
} from 'typescript/unstable/ast/is';
import { type Checker, type Type, TypeFlags } from 'typescript/unstable/sync';

const makers = new Set(['String', 'Number', 'BigInt']);
/** What code throws is no JSON from outside; by these names it goes here. */
const thrown = new Set(['error', 'reason', 'failure']);

/**
 * A value of which nothing is known may not be made a text or a number: `{"toString":1}`, as JSON from outside may have
 * it, throws a TypeError there, where nobody waits for one. `shownJson` shows any value; where only a text will do,
 * `typeof` asks for one.
 */
export function shownValues(node: Node, checker: Checker): string | undefined {
  // What a tag is given it takes as it is.
  if (isTemplateSpan(node) && isTaggedTemplateExpression(node.parent.parent)) return undefined;
  const made = isTemplateSpan(node) ? node.expression : converted(node);
  if (!made || (isIdentifier(made) && thrown.has(made.text))) return undefined;
  const type = checker.getTypeAtLocation(made);
  if (!type || !mayBeHostile(type, checker)) return undefined;
  return `${made.getText()}: may be {"toString":1}, which is no text; take shownJson, or ask for its type`;
}

function converted(node: Node): Expression | undefined {
  if (!isCallExpression(node) || !isIdentifier(node.expression)) return undefined;
  return makers.has(node.expression.text) ? node.arguments[0] : undefined;
}

/** Unknown types, `object`, `{}`, and objects of any keys: what JSON is before somebody looked at it. */
function mayBeHostile(type: Type, checker: Checker, seen = new Set<Type>()): boolean {
  if (seen.has(type)) return false;
  seen.add(type);
  if (type.flags & (TypeFlags.Unknown | TypeFlags.Any | TypeFlags.NonPrimitive)) return true;
  const inside = (part: Type) => mayBeHostile(part, checker, seen);
  if (type.isUnionType()) return type.getTypes().some(inside);
  if (type.isIntersectionType()) return type.getTypes().every(inside);
  if (type.flags & TypeFlags.TypeParameter) {
    const constraint = checker.getBaseConstraintOfType(type);
    return constraint === undefined || inside(constraint);
  }
  if (!(type.flags & TypeFlags.Object)) return false;
  const isOpen = checker.getIndexInfosOfType(type).some(({ keyType }) => keyType.flags & TypeFlags.String);
  return isOpen || (checker.getPropertiesOfType(type).length === 0 && isPlain(type, checker));
}

const isPlain = (type: Type, checker: Checker) =>
  checker.getSignaturesOfType(type, 0).length === 0 && checker.getSignaturesOfType(type, 1).length === 0;

import { type Expression, type Node, SyntaxKind } from 'typescript/unstable/ast';
import {
  isArrowFunction,
  isAsExpression,
  isBinaryExpression,
  isDeleteExpression,
  isElementAccessExpression,
  isFunctionDeclaration,
  isFunctionExpression,
  isMethodDeclaration,
  isNonNullExpression,
  isParenthesizedExpression,
  isSatisfiesExpression,
} from 'typescript/unstable/ast/is';
import { type Checker, type Type, TypeFlags } from 'typescript/unstable/sync';

/**
 * A text that is not known beforehand may not index an object, nor stand before `in`: `constructor` and `__proto__`
 * are found in every object. A Map and `ownValue` look at own keys alone; an access in a function that asks
 * `Object.hasOwn(object, key)`, or sets what is not `'__proto__'`, is fine too.
 */
export function ownKeys(node: Node, checker: Checker): string | undefined {
  if (isElementAccessExpression(node)) {
    if (isDeleteExpression(node.parent)) return undefined;
    const key = unwrapped(node.argumentExpression);
    return isOpen(key, checker) && !isGuarded(node, key) ? complaint(node) : undefined;
  }
  if (!isBinaryExpression(node) || node.operatorToken.kind !== SyntaxKind.InKeyword) return undefined;
  return isOpen(unwrapped(node.left), checker) ? complaint(node) : undefined;
}

function complaint(node: Node): string {
  return `${node.getText()}: the key may be "constructor"; take a Map, ownValue, setOwn or Object.hasOwn`;
}

/** A cast does not make a text known. */
function unwrapped(node: Expression): Expression {
  const isWrapped =
    isParenthesizedExpression(node) ||
    isAsExpression(node) ||
    isNonNullExpression(node) ||
    isSatisfiesExpression(node);
  return isWrapped ? unwrapped(node.expression) : node;
}

function isGuarded(access: Node & { expression: Expression }, key: Expression): boolean {
  let scope: Node = access;
  while (scope.parent && !isFunction(scope)) scope = scope.parent;
  const text = plain(scope.getText());
  const keyText = plain(key.getText());
  const asks = `Object.hasOwn(${plain(unwrapped(access.expression).getText())},${keyText})`;
  return text.includes(asks) || (isWritten(access) && text.includes(`${keyText}!=='__proto__'`));
}

const isFunction = (node: Node) =>
  isArrowFunction(node) ||
  isFunctionDeclaration(node) ||
  isFunctionExpression(node) ||
  isMethodDeclaration(node);
const plain = (text: string) => text.replace(/\s+/g, '');

function isWritten(access: Node): boolean {
  const { parent } = access;
  return (
    isBinaryExpression(parent) &&
    parent.left === access &&
    parent.operatorToken.kind === SyntaxKind.EqualsToken
  );
}

const openKinds =
  TypeFlags.String | TypeFlags.TemplateLiteral | TypeFlags.StringMapping | TypeFlags.Any | TypeFlags.Unknown;
const deferredKinds = TypeFlags.TypeParameter | TypeFlags.IndexedAccess | TypeFlags.Conditional;

/** True for any type that holds texts which are not listed in it. `keyof` an object's own type is a list. */
function isOpen(key: Expression, checker: Checker): boolean {
  const type = checker.getTypeAtLocation(key);
  return type !== undefined && isOpenType(type, checker);
}

function isOpenType(type: Type, checker: Checker): boolean {
  if (type.flags & openKinds) return true;
  if (type.isUnionType()) return type.getTypes().some((part) => isOpenType(part, checker));
  if (type.isIntersectionType()) return type.getTypes().every((part) => isOpenType(part, checker));
  if (!(type.flags & deferredKinds)) return false;
  const constraint = checker.getBaseConstraintOfType(type);
  return constraint !== undefined && constraint !== type && isOpenType(constraint, checker);
}

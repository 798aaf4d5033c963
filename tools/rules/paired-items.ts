import type { Expression, Node } from 'typescript/unstable/ast';
import { isBinaryExpression, isCallExpression, isPropertyAccessExpression } from 'typescript/unstable/ast/is';

const searches = new Set(['indexOf', 'findIndex']);

/**
 * Whether an item is there a second time may not be asked by a search from the list's beginning for each of its items
 * (`list.indexOf(item) < index`): a list from outside has hundreds of thousands, and the square of that keeps everybody waiting.
 * A set that grows with the items, such as kubeapi's `repeats`, asks in a time of its own.
 */
export function pairedItems(node: Node): string | undefined {
  if (!isBinaryExpression(node) || !['<', '!==', '<='].includes(node.operatorToken.getText()))
    return undefined;
  if (!isSearch(node.left) || isNumber(node.right)) return undefined;
  return `${node.getText()}: takes the square of the list's length; ask a set that grows with the items`;
}

const isSearch = (side: Expression): boolean =>
  isCallExpression(side) &&
  isPropertyAccessExpression(side.expression) &&
  searches.has(side.expression.name.text);

const isNumber = (side: Expression): boolean => /^-?\d+$/.test(side.getText());

import type { Node } from 'typescript/unstable/ast';
import { isRegularExpressionLiteral } from 'typescript/unstable/ast/is';

/**
 * What stands at a text's end, any number of times, is not looked for by a pattern (`/0+$/`): it is tried from each of its
 * characters in the middle, and a text of a million of them takes the square of that. `withoutTrailing` goes backward.
 */
export function endsOfTexts(node: Node): string | undefined {
  if (!isRegularExpressionLiteral(node)) return undefined;
  const text = node.getText();
  const pattern = text.slice(1, text.lastIndexOf('/'));
  if (!/^(?:\\.|\[(?:\\.|[^\]\\])+\]|[^\\[(^])[*+]\$$/.test(pattern)) return undefined;
  return `${text}: takes the square of a text's length; take withoutTrailing or trimmedOf`;
}

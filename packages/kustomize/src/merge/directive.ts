/** `$patch` of strategic merge patches: read, and taken out. */
import { KustomizeError } from '../errors.ts';
import { type ListNode, type MapNode, textOf } from '../yaml/node.ts';

export type Directive = 'merge' | 'replace' | 'delete';

const key = '$patch';

/** Of a map that is a patch. Throws KustomizeError for another word. */
export function takeDirective(patch: MapNode): Directive {
  const node = patch.fields.get(key);
  if (node === undefined) return 'merge';
  const directive = directiveOf(textOf(node));
  patch.fields.delete(key);
  return directive;
}

/** Of a list that is a patch: the item that says nothing else. */
export function takeListDirective(patch: ListNode): Directive {
  const item = patch.items.find((one) => one.kind === 'map' && one.fields.has(key));
  if (item?.kind !== 'map' || item.fields.size > 1) return 'merge';
  const word = textOf(item.fields.get(key));
  const directive = directiveOf(word);
  patch.items = patch.items.filter((one) => !(one.kind === 'map' && textOf(one.fields.get(key)) === word));
  return directive;
}

function directiveOf(word: string): Directive {
  if (word === 'merge' || word === 'replace' || word === 'delete') return word;
  throw new KustomizeError(`unknown patch strategy '${word}'`);
}

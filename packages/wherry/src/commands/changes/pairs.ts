import { CommandError } from '../../errors.ts';

/** What words of `label`, `annotate`, `set image` and `taint` mean. */
export interface PairWords {
  /** Those that say which objects. */
  resources: string[];
  /** `KEY=VALUE` and `KEY-`, or what else says a change. */
  pairs: string[];
}

const isKeyAndValue = (word: string): boolean =>
  (word.includes('=') && !word.startsWith('=')) || (word.endsWith('-') && word !== '-');

/** Tells the words about objects from those about changes, which follow them. Throws `CommandError`. */
export function splitPairs(
  words: readonly string[],
  what: 'label' | 'annotation' | 'image' | 'taint',
  isPair = isKeyAndValue,
): PairWords {
  const first = words.findIndex(isPair);
  const start = first === -1 ? words.length : first;
  const pairs = words.slice(start);
  const late = pairs.find((word) => !isPair(word));
  if (late !== undefined)
    throw new CommandError(`all resources must be specified before ${what} changes: ${late}`);
  return { resources: words.slice(0, start), pairs };
}

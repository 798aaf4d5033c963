import { CommandError } from '../../errors.ts';

/** What words of `label`, `annotate` and `set image` mean. */
export interface PairWords {
  /** Those that say which objects. */
  resources: string[];
  /** `KEY=VALUE` and `KEY-`. */
  pairs: string[];
}

const isPair = (word: string): boolean =>
  (word.includes('=') && !word.startsWith('=')) || (word.endsWith('-') && word !== '-');

/** Tells the words about objects from those about changes, which follow them. Throws `CommandError`. */
export function splitPairs(words: readonly string[], what: 'label' | 'annotation' | 'image'): PairWords {
  const first = words.findIndex(isPair);
  const start = first === -1 ? words.length : first;
  const pairs = words.slice(start);
  const late = pairs.find((word) => !isPair(word));
  if (late !== undefined)
    throw new CommandError(`all resources must be specified before ${what} changes: ${late}`);
  return { resources: words.slice(0, start), pairs };
}

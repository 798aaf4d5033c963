import { Option } from 'commander';
import { CommandError } from '../../errors.ts';
import type { FieldValidation } from '../../objects/manifests/field-validation.ts';
import { falseWords, trueWords } from '../../words/go-words.ts';

const meanings = new Map<string, FieldValidation>([
  ...['strict', ...trueWords].map((word) => [word, 'Strict'] as const),
  ['warn', 'Warn'],
  ...['ignore', ...falseWords].map((word) => [word, 'Ignore'] as const),
]);

/** `--validate[=strict|warn|ignore]`: what becomes of fields that the server does not know. */
export function validateOption(): Option {
  const option = new Option('--validate [how]', 'of unknown and doubled fields: strict refuses, warn, ignore')
    .argParser((text) => {
      const meaning = meanings.get(text);
      if (meaning) return meaning;
      throw new CommandError(
        `invalid - validate option ${JSON.stringify(text)}; must be one of: strict (or true), warn, ignore (or false)`,
      );
    })
    .preset('strict')
    .default('Strict', 'strict');
  // For the help and for completion.
  option.argChoices = ['strict', 'warn', 'ignore'];
  return option;
}

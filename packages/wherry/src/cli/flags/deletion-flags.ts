import { Option } from 'commander';
import { CommandError } from '../../errors.ts';
import type { Cascade } from '../../objects/deletion/cascade.ts';
import { falseWords, trueWords } from '../../words/go-words.ts';
import { parseDuration } from './duration.ts';
import { parseInteger } from './options.ts';

/** `--grace-period SECONDS`. */
export const gracePeriodOption = (): Option =>
  new Option('--grace-period <seconds>', "time to end; below 0 for the object's own")
    .argParser(parseInteger)
    .default(-1);

const cascades = ['background', 'foreground', 'orphan'] as const;
/** Spellings that kubectl had when there were two ways. */
const oldSpellings = new Map<string, Cascade>([
  ...trueWords.map((word) => [word, 'background'] as const),
  ...falseWords.map((word) => [word, 'orphan'] as const),
]);

/** `--cascade HOW`. */
export function cascadeOption(): Option {
  const option = new Option('--cascade [how]', 'what becomes of dependents')
    .argParser((text): Cascade => {
      const given = cascades.find((one) => one === text);
      if (given) return given;
      const meant = oldSpellings.get(text);
      const words = 'Must be "background", "foreground", or "orphan"';
      if (!meant) throw new CommandError(`invalid cascade value (${text}). ${words}`);
      console.error(
        `warning: --cascade=${text} is deprecated (boolean value) and can be replaced with --cascade=${meant}.`,
      );
      return meant;
    })
    .preset('background')
    .default('background');
  // For the help and for completion.
  option.argChoices = [...cascades];
  return option;
}

/** `--timeout DURATION`; what 0 is for, differs. */
export const deletionTimeoutOption = (ofZero: string): Option =>
  new Option('--timeout <duration>', `how long to wait; 0 for ${ofZero}`)
    .argParser(parseDuration)
    .default(0, '0');

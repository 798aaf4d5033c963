import { type Command, Option } from 'commander';
import { CommandError } from '../../errors.ts';
import { warnLine } from '../../kube/warnings.ts';
import type { DryRun } from '../../objects/outcome.ts';
import { falseWords, trueWords } from '../../words/go-words.ts';

const dryRuns = ['none', 'client', 'server'] as const;
/** Spellings that kubectl had before there was a dry run at the server. */
const oldSpellings = new Map<string, DryRun>([
  ...trueWords.map((word) => [word, 'client'] as const),
  ...falseWords.map((word) => [word, 'none'] as const),
]);

/** `--dry-run=none|client|server`. */
export function dryRunOption(): Option {
  const option = new Option('--dry-run [where]', 'do nothing, or at the server everything but store')
    .argParser((text): DryRun => {
      const given = dryRuns.find((one) => one === text);
      if (given) return given;
      const meant = oldSpellings.get(text);
      if (!meant)
        throw new CommandError(`Invalid dry-run value (${text}). Must be "none", "server", or "client".`);
      warnLine(
        `--dry-run=${text} is deprecated (boolean value) and can be replaced with --dry-run=${meant}.`,
      );
      return meant;
    })
    .preset('client')
    .default('none');
  // For the help and for completion.
  option.argChoices = [...dryRuns];
  return option;
}

/** `--save-config`: for client-side apply, which compares with it. */
export const saveConfigOption = (): Option =>
  new Option('--save-config', 'keep what is given in the annotation that client-side apply compares with');

/** `--overrides PATCH`, of what a command has made before it is created. */
export const withOverrides = (command: Command): Command =>
  command
    .option('--overrides <json>', 'a patch of the object before it is created')
    .option('--override-type <type>', 'json, merge or strategic', 'merge');

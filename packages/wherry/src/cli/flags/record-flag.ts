import { type Command, Option } from 'commander';
import { trueWords } from '../../words/go-words.ts';
import { type TypedLine, typedLine } from '../../words/typed-line.ts';

/** Flags whose values are nobody's business. kubectl records them. */
const classified: ReadonlySet<string> = new Set(['token', 'username', 'password']);

/** `--record`: writes the command line down as the cause of the change (`RecordFlags`). Deprecated, as in kubectl. */
export const withRecord = (command: Command): Command =>
  command.addOption(new Option('--record').hideHelp()).hook('preAction', (self, acting) => {
    if (self !== acting) return;
    const typed = typedLine(process.argv.slice(2), self.options);
    const said = typed.flags.filter(({ name }) => name === 'record');
    const isPreferred = self.opts()['record'] === true && said.length === 0;
    for (const _ of isPreferred ? [true] : said)
      console.error('Flag --record has been deprecated, --record will be removed in the future');
    if (isPreferred || trueWords.includes(said.at(-1)?.value ?? ''))
      self.setOptionValue('changeCause', causeOf(typed));
  });

/** The words, then the flags with their values. */
function causeOf({ words, flags }: TypedLine): string {
  const shown = flags.map(({ name, value }) => `--${name}=${classified.has(name) ? 'CLASSIFIED' : value}`);
  return ['wherry', ...words, ...shown].join(' ');
}

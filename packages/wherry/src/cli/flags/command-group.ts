import type { Command } from 'commander';
import { usageError, withKubectlErrors } from './usage-errors.ts';

/** A command that does nothing but hold others: alone it prints its help as an error, as kubectl's, and words that are none of them it refuses. */
export function asGroup(parent: Command): Command {
  return withKubectlErrors(parent)
    .usage('COMMAND [flags]')
    .enablePositionalOptions()
    .argument('[words...]')
    .action((words: string[], _flags: object, self: Command) => {
      if (words.length === 0) self.help({ error: true });
      usageError(self, `unknown command ${JSON.stringify(words.join(' '))}`);
    });
}

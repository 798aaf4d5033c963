import type { Command } from 'commander';
import type { SetContextFlags } from '../../../commands/config/contexts.ts';
import type { ConfigPlace } from '../../../kubeconfig/config-state.ts';
import { usageError } from '../../flags/usage-errors.ts';
import { withConfigFlags } from './config-flags.ts';
import { requireWords } from './words.ts';

/** `config use-context | rename-context | set-context`. */
export function addConfigContexts(config: Command): Command[] {
  const use = withConfigFlags(config.command('use-context').alias('use'))
    .description('make a context the current one')
    .usage('NAME [flags]')
    .argument('[words...]', 'NAME')
    .action(async (words: string[], flags: ConfigPlace, self: Command) => {
      requireWords(words, 1, self);
      (await import('../../../commands/config/contexts.ts')).useContext(words[0] ?? '', flags);
    });
  const rename = withConfigFlags(config.command('rename-context'))
    .description('give a context another name')
    .usage('NAME NEW_NAME [flags]')
    .argument('[words...]', 'NAME NEW_NAME')
    .action(async (words: string[], flags: ConfigPlace, self: Command) => {
      requireWords(words, 2, self);
      const [name = '', newName = ''] = words;
      (await import('../../../commands/config/contexts.ts')).renameContext(name, newName, flags);
    });
  return [use, rename, addSetContext(config)];
}

function addSetContext(config: Command): Command {
  const command = config
    .command('set-context')
    .description('make a context, or change one')
    .usage('(NAME | --current) [flags]')
    .argument('[words...]', 'NAME')
    .option('--current', 'the current one')
    .option('--cluster <name>', 'its cluster')
    .option('--user <name>', 'its user')
    .option('-n, --namespace <name>', 'its namespace');
  return withConfigFlags(command).action(async (words: string[], flags: SetContextFlags, self: Command) => {
    if (words.length > 1) usageError(self, `Unexpected args: [${words.join(' ')}]`);
    (await import('../../../commands/config/contexts.ts')).setContext(words[0], flags);
  });
}

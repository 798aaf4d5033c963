import { type Command, Option } from 'commander';
import type { GetContextsFlags } from '../../../commands/config/get.ts';
import type { ViewFlags } from '../../../commands/config/view.ts';
import type { ConfigPlace } from '../../../kubeconfig/config-state.ts';
import { withOutput } from '../../flags/options.ts';
import { usageError } from '../../flags/usage-errors.ts';
import { triState, withConfigFlags } from './config-flags.ts';

/** `config view | get-contexts | current-context | get-clusters | get-users`. */
export function addConfigView(config: Command): Command[] {
  return [addView(config), addGetContexts(config), addCurrentContext(config), ...addGetNames(config)];
}

function addView(config: Command): Command {
  const command = withOutput(config.command('view'), ['json', 'yaml'])
    .description('print what the kubeconfigs say together, without secrets')
    .argument('[words...]')
    .usage('[flags]')
    .option('--context <name>', 'with --minify: of this context')
    .option('--flatten', 'with the content of files in the place of their paths, and with secrets')
    .option('--minify', 'what the current context needs alone')
    .option('--raw', 'with secrets and certificates')
    .option('--show-managed-fields', 'without effect: there are none')
    .addOption(triState('merge', 'false: the file of --kubeconfig, which has to be there'));
  return withConfigFlags(command).action(async (words: string[], flags: ViewFlags, self: Command) => {
    if (words.length > 0) usageError(self, `unexpected arguments: [${words.join(' ')}]`);
    (await import('../../../commands/config/view.ts')).view(flags);
  });
}

function addGetContexts(config: Command): Command {
  const output = new Option('-o, --output <format>', 'name: the names alone');
  // For the help and for completion.
  output.argChoices = ['name'];
  const command = config
    .command('get-contexts')
    .description('print contexts; a star stands at the current one')
    .argument('[names...]', 'these alone')
    .addOption(output)
    .option('--no-headers', 'rows alone');
  return withConfigFlags(command).action(async (names: string[], flags: GetContextsFlags) =>
    (await import('../../../commands/config/get.ts')).getContexts(names, flags),
  );
}

const addCurrentContext = (config: Command): Command =>
  withConfigFlags(
    config.command('current-context').description('print the name of the current context'),
  ).action(async (flags: ConfigPlace) =>
    (await import('../../../commands/config/get.ts')).currentContext(flags),
  );

const addGetNames = (config: Command): Command[] =>
  (['clusters', 'users'] as const).map((list) =>
    withConfigFlags(config.command(`get-${list}`).description(`print the names of the ${list}`)).action(
      async (flags: ConfigPlace) => (await import('../../../commands/config/get.ts')).getNames(list, flags),
    ),
  );

import type { Command } from 'commander';
import type { PluginListFlags } from '../../../commands/plugin/list.ts';
import { asGroup } from '../../flags/command-group.ts';
import { withKubectlErrors } from '../../flags/usage-errors.ts';

/** `plugin list`. */
export function addPlugin(program: Command): Command[] {
  const plugin = asGroup(program.command('plugin')).description('commands that other programs bring');
  const list = withKubectlErrors(plugin.command('list'))
    .description('list the programs on the PATH that are commands: wherry-NAME and kubectl-NAME')
    .option('--name-only', 'names of files alone')
    .action(async (flags: PluginListFlags) =>
      (await import('../../../commands/plugin/list.ts')).listPlugins(program, flags),
    );
  return [list];
}

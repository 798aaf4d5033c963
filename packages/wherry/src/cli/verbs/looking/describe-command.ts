import type { Command } from 'commander';
import type { DescribeFlags } from '../../../commands/objects/describe.ts';
import { CommandError } from '../../../errors.ts';
import { withKubeFlags } from '../../flags/kube-flags.ts';
import { chunkSizeOption } from '../../flags/options.ts';
import { withSelection } from '../../flags/selection-flags.ts';

/** `describe`. */
export function addDescribe(program: Command): Command {
  return withSelection(withKubeFlags(program.command('describe')))
    .description('tell what matters of objects, and what happened to them, as kubectl tells it')
    .usage('(TYPE [NAME...] | TYPE NAME_PREFIX | TYPE/NAME... | -f FILE | -k FOLDER) [flags]')
    .option('-A, --all-namespaces', 'of every namespace')
    .option('--show-events', 'with events (default: of an object that is described alone)')
    .option('--no-show-events', 'without events')
    .addOption(chunkSizeOption())
    .action(async (words: string[], flags: DescribeFlags) => {
      if (words.length === 0 && !flags.filename)
        throw new CommandError(
          'You must specify the type of resource to describe. Use "wherry api-resources" for a complete list of supported resources.',
        );
      await (await import('../../../commands/objects/describe.ts')).describe(words, flags);
    });
}

import { collectList } from '@wherry/node/roles';
import type { Command } from 'commander';
import type { EventsFlags } from '../../../commands/objects/events/events.ts';
import { withKubeFlags } from '../../flags/kube-flags.ts';
import { chunkSizeOption, withOutput } from '../../flags/options.ts';

/** `events`. */
export function addEvents(program: Command): Command {
  return withOutput(withKubeFlags(program.command('events')))
    .description('print what happened, the oldest first')
    .option('-A, --all-namespaces', 'in every namespace')
    .option('--for <type/name>', 'to this object')
    .option('--types <list>', 'Normal, Warning', collectList)
    .option('-w, --watch', 'go on with those that come')
    .option('--no-headers', 'rows alone')
    .option('--show-managed-fields', 'with -o: who manages which field too')
    .addOption(chunkSizeOption())
    .action(async (flags: EventsFlags) =>
      (await import('../../../commands/objects/events/events.ts')).events(flags),
    );
}

import { type Command, Option } from 'commander';
import type { ScaleFlags } from '../../commands/changes/scale.ts';
import { dryRunOption } from '../flags/change-flags.ts';
import { parseSignedDuration } from '../flags/duration.ts';
import { withKubeFlags } from '../flags/kube-flags.ts';
import { parseInteger, withOutput } from '../flags/options.ts';
import { withRecord } from '../flags/record-flag.ts';
import { withSelection } from '../flags/selection-flags.ts';

/** `scale`. */
export function addScale(program: Command): Command {
  return withOutput(withSelection(withRecord(withKubeFlags(program.command('scale')))), [
    'json',
    'yaml',
    'name',
  ])
    .description('set how many pods something has')
    .usage(
      '--replicas=COUNT (TYPE NAME | TYPE/NAME | TYPE (-l SELECTOR | --all) | -f FILE | -k FOLDER) [flags]',
    )
    .option('--all', 'all of the type in the namespace')
    .option('--replicas <n>', 'how many', parseInteger)
    .option('--current-replicas <n>', 'only if there are so many now; -1 for any', parseInteger, -1)
    .option('--resource-version <version>', 'only if this is its version now')
    .addOption(
      new Option('--timeout <duration>', 'how long to wait until there are so many; 0 does not wait')
        .argParser(parseSignedDuration)
        .default(0, '0s'),
    )
    .addOption(dryRunOption())
    .option('--show-managed-fields', 'with -o: who manages which field too')
    .action(async (words: string[], flags: Partial<ScaleFlags>, self: Command) => {
      if (flags.replicas === undefined) self.error('error: required flag(s) "replicas" not set');
      await (await import('../../commands/changes/scale.ts')).scale(words, flags as ScaleFlags);
    });
}

import { type Command, Option } from 'commander';
import type { AutoscaleFlags } from '../../commands/autoscale/autoscale.ts';
import { dryRunOption, saveConfigOption } from '../flags/change-flags.ts';
import { withKubeFlags } from '../flags/kube-flags.ts';
import { parseInteger, withOutput } from '../flags/options.ts';
import { withRecord } from '../flags/record-flag.ts';
import {
  filenameOption,
  kustomizeOption,
  typesAndNames,
  typesAndNamesHelp,
} from '../flags/selection-flags.ts';

/** `autoscale`. */
export function addAutoscale(program: Command): Command {
  return withOutput(withRecord(withKubeFlags(program.command('autoscale'))), ['json', 'yaml', 'name'])
    .description('create an autoscaler, which sets how many pods something has')
    .usage('(TYPE NAME | TYPE/NAME | -f FILE | -k FOLDER) --max=COUNT [flags]')
    .argument(typesAndNames, typesAndNamesHelp)
    .addOption(filenameOption())
    .addOption(kustomizeOption())
    .option('-R, --recursive', 'folders in folders too')
    .option('--min <n>', "the least; below 1 for the server's own", parseInteger, -1)
    .option('--max <n>', 'the most', parseInteger)
    .option('--cpu <target>', '70% of what pods ask for, or 500m of each on average; 500 is 500m')
    .option('--memory <target>', '70% of what pods ask for, or 200Mi of each on average; 200 is 200Mi')
    .addOption(new Option('--cpu-percent <n>', 'as --cpu=n%').argParser(parseInteger).hideHelp())
    .option('--name <name>', "name of the autoscaler (default: the object's)")
    .addOption(dryRunOption())
    .addOption(saveConfigOption())
    .option('--field-manager <name>', 'in whose name fields are managed', 'wherry-autoscale')
    .option('--show-managed-fields', 'with -o: who manages which field too')
    .action(async (words: string[], flags: AutoscaleFlags & { max?: number }, self: Command) => {
      if (flags.max === undefined) self.error('error: required flag(s) "max" not set');
      await (await import('../../commands/autoscale/autoscale.ts')).autoscale(words, flags);
    });
}

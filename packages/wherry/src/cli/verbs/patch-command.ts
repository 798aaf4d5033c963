import type { Command } from 'commander';
import type { PatchFlags } from '../../commands/changes/patch.ts';
import { dryRunOption } from '../flags/change-flags.ts';
import { withKubeFlags } from '../flags/kube-flags.ts';
import { withOutput } from '../flags/options.ts';
import { withRecord } from '../flags/record-flag.ts';
import {
  filenameOption,
  kustomizeOption,
  typesAndNames,
  typesAndNamesHelp,
} from '../flags/selection-flags.ts';

/** `patch`. */
export function addPatch(program: Command): Command {
  return withOutput(withRecord(withKubeFlags(program.command('patch'))), ['json', 'yaml', 'name'])
    .description('change fields of objects')
    .usage('(TYPE NAME | TYPE/NAME | -f FILE | -k FOLDER) (-p PATCH | --patch-file FILE) [flags]')
    .argument(typesAndNames, typesAndNamesHelp)
    .addOption(filenameOption())
    .addOption(kustomizeOption())
    .option('-R, --recursive', 'folders in folders too')
    .option('-p, --patch <patch>', 'the patch, JSON or YAML')
    .option('--patch-file <file>', 'a file that holds the patch')
    .option('--type <type>', 'json, merge or strategic', 'strategic')
    .option('--local', 'change what -f holds, and ask no server')
    .option('--subresource <name>', 'of this sub-resource, such as status or scale')
    .addOption(dryRunOption())
    .option('--field-manager <name>', 'in whose name fields are managed', 'wherry-patch')
    .option('--show-managed-fields', 'with -o: who manages which field too')
    .action(async (words: string[], flags: PatchFlags) =>
      (await import('../../commands/changes/patch.ts')).patch(words, flags),
    );
}

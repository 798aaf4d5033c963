import type { Command } from 'commander';
import type { MetadataMapFlags } from '../../commands/changes/metadata-map.ts';
import { dryRunOption } from '../flags/change-flags.ts';
import { withKubeFlags } from '../flags/kube-flags.ts';
import { withOutput } from '../flags/options.ts';
import { withRecord } from '../flags/record-flag.ts';
import { withWideSelection } from '../flags/selection-flags.ts';

const usage =
  '(TYPE NAME... | TYPE/NAME... | TYPE (-l SELECTOR | --all) | -f FILE) KEY=VALUE... KEY-... [flags]';

/** `label`, `annotate`. */
export function addLabels(program: Command): Command[] {
  const label = withMapFlags(program.command('label'), 'labels', 'wherry-label')
    .description('set, change or remove labels of objects')
    .action(async (words: string[], flags: MetadataMapFlags) =>
      (await import('../../commands/changes/label.ts')).label(words, flags),
    );
  const annotate = withMapFlags(program.command('annotate'), 'annotations', 'wherry-annotate')
    .description('set, change or remove annotations of objects')
    .action(async (words: string[], flags: MetadataMapFlags) =>
      (await import('../../commands/changes/annotate.ts')).annotate(words, flags),
    );
  return [label, annotate];
}

function withMapFlags(command: Command, what: string, fieldManager: string): Command {
  return withOutput(withWideSelection(withRecord(withKubeFlags(command))), ['json', 'yaml', 'name'])
    .usage(usage)
    .option('--overwrite', `change ${what} that are there, too`)
    .option('--list', `print ${what}`)
    .option('--local', 'change what -f holds, and ask no server')
    .option('--resource-version <version>', 'only if this is its version now')
    .addOption(dryRunOption())
    .option('--field-manager <name>', 'in whose name fields are managed', fieldManager)
    .option('--show-managed-fields', 'with -o: who manages which field too');
}

import type { Command } from 'commander';
import { dryRunOption } from '../../flags/change-flags.ts';
import { withKubeFlags } from '../../flags/kube-flags.ts';
import { withOutput } from '../../flags/options.ts';
import { withRecord } from '../../flags/record-flag.ts';
import { withNames, withSelection } from '../../flags/selection-flags.ts';

/** What of a command below `set` is not as of the others. */
export interface SettingOptions {
  /** It has another `--user` than that of the kubeconfig. */
  hasUserFlag?: boolean;
  /** Objects are found by labels, too. */
  hasSelector?: boolean;
  /** The command line may be recorded. */
  hasRecord?: boolean;
}

/** A command below `set`, with the flags that all of them have. */
export function setting(
  set: Command,
  name: string,
  { hasUserFlag = true, hasSelector = true, hasRecord = true }: SettingOptions = {},
): Command {
  const command = withKubeFlags(set.command(name), { hasUserFlag });
  if (hasRecord) withRecord(command);
  const choosing = hasSelector ? withSelection(command) : withNames(command);
  return withOutput(choosing, ['json', 'yaml', 'name'])
    .option('--all', 'all of the type in the namespace')
    .option('--local', 'change what -f holds, and ask no server')
    .addOption(dryRunOption())
    .option('--field-manager <name>', 'in whose name fields are managed', 'wherry-set')
    .option('--show-managed-fields', 'with -o: who manages which field too');
}

/** How help writes which objects are meant. */
export const someObjects = '(TYPE NAME | TYPE/NAME | TYPE (-l SELECTOR | --all) | -f FILE | -k FOLDER)';

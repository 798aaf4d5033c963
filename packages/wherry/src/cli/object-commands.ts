import { collectList } from '@wherry/node/roles';
import type { Command } from 'commander';
import type { DeleteFlags } from '../commands/delete/flags.ts';
import type { ApiResourcesFlags } from '../commands/objects/api-resources.ts';
import type { GetFlags } from '../commands/objects/get.ts';
import type { VersionFlags } from '../commands/objects/version.ts';
import type { KubeFlags } from '../kube/flags.ts';
import { dryRunOption } from './flags/change-flags.ts';
import { cascadeOption, deletionTimeoutOption, gracePeriodOption } from './flags/deletion-flags.ts';
import { withKubeFlags } from './flags/kube-flags.ts';
import { chunkSizeOption, withOutput } from './flags/options.ts';
import {
  filenameOption,
  kustomizeOption,
  typesAndNames,
  typesAndNamesHelp,
  withWideSelection,
} from './flags/selection-flags.ts';
import { usageError, withKubectlErrors } from './flags/usage-errors.ts';
import { addCreate } from './verbs/create/create-command.ts';
import { addExplain } from './verbs/explain-command.ts';
import { addClusterInfo } from './verbs/looking/cluster-info-commands.ts';
import { addDescribe } from './verbs/looking/describe-command.ts';
import { addEvents } from './verbs/looking/events-command.ts';
import { addTop } from './verbs/looking/top-commands.ts';
import { addApply } from './verbs/manifests/apply-command.ts';
import { addRun } from './verbs/run-command.ts';

/** kubectl's first verbs, and what explains why a pod waits, against any cluster. */
export function addObjectCommands(program: Command): Command[] {
  return [
    addGet(program),
    addDescribe(program),
    ...addApply(program),
    ...addCreate(program),
    addDelete(program),
    addRun(program),
    addEvents(program),
    addExplain(program),
    ...addTop(program),
    ...addClusterInfo(program),
    addApiResources(program),
    addApiVersions(program),
    addVersion(program),
  ].map(withKubectlErrors);
}

function requireWords(words: readonly string[], self: Command): void {
  if (words.length > 0) return;
  usageError(self, 'You must specify the type of resource; "wherry api-resources" lists what the server has');
}

function addGet(program: Command): Command {
  return withOutput(withKubeFlags(program.command('get')))
    .description('print objects')
    .usage('(TYPE[,TYPE] [NAME...] | TYPE/NAME... | -f FILE | -k FOLDER) [flags]')
    .argument(typesAndNames, typesAndNamesHelp)
    .addOption(filenameOption())
    .addOption(kustomizeOption())
    .option('-R, --recursive', 'folders in folders too')
    .option('-A, --all-namespaces', 'of every namespace')
    .option('-l, --selector <selector>', 'those that the label selector finds')
    .option('--field-selector <selector>', 'those that the field selector finds')
    .option('-w, --watch', 'go on with what changes')
    .option('--watch-only', 'what changes alone, without what is there')
    .option('--output-watch-events', 'with -w or --watch-only: what each change is')
    .addOption(chunkSizeOption())
    .option('--no-headers', 'rows alone')
    .option('--show-kind', 'the type in front of each name')
    .option('--subresource <name>', 'this sub-resource of each object, such as status or scale')
    .option('--no-server-print', 'names and ages in place of the columns that the server has')
    .option('--show-labels', 'labels as the last column')
    .option('-L, --label-columns <labels>', 'a column for each of these labels', collectList)
    .option('--show-managed-fields', 'with -o: who manages which field too')
    .option('--sort-by <path>', 'in the order of this field, as {.metadata.name}')
    .option('--ignore-not-found', 'nothing there is no failure')
    .option('--raw <path>', 'what the server answers at this path, as it is')
    .action(async (words: string[], flags: GetFlags, self: Command) => {
      if (flags.raw !== undefined) {
        if (words.length > 0) usageError(self, 'arguments may not be passed when --raw is specified');
        return (await import('../commands/objects/get-raw.ts')).getRaw(flags.raw, flags);
      }
      if (!flags.filename) requireWords(words, self);
      await (await import('../commands/objects/get.ts')).get(words, flags);
    });
}

function addDelete(program: Command): Command {
  return withWideSelection(withOutput(withKubeFlags(program.command('delete')), ['name']))
    .description('delete objects, and wait until they are gone')
    .usage('(TYPE NAME... | TYPE/NAME... | -f FILE | -k FOLDER | TYPE -l SELECTOR | TYPE --all) [flags]')
    .addOption(gracePeriodOption())
    .option('--now', 'a grace period of one second')
    .option('--force', 'at once, without waiting for what runs')
    .addOption(cascadeOption())
    .option('--ignore-not-found', 'nothing there is no failure')
    .option('-i, --interactive', 'ask before anything is deleted')
    .addOption(dryRunOption())
    .option('--no-wait', 'return when the server has taken the request')
    .addOption(deletionTimeoutOption('as long as it takes'))
    .option('--raw <path>', 'delete at this path of the server; -f is what is sent to it')
    .action(async (words: string[], flags: DeleteFlags, self: Command) => {
      if (!flags.filename && flags.raw === undefined) requireWords(words, self);
      await (await import('../commands/delete/delete.ts')).deleteObjects(words, flags);
    });
}

function addApiResources(program: Command): Command {
  return withOutput(withKubeFlags(program.command('api-resources')))
    .description('list the resource types that the server has')
    .argument('[words...]')
    .usage('[flags]')
    .option('--api-group <group>', 'those of this group alone; empty for the first')
    .option('--namespaced', 'those of namespaces alone')
    .option('--no-namespaced', 'those of the whole cluster alone')
    .option('--verbs <list>', 'those that know all of these verbs', collectList)
    .option('--categories <list>', 'those that belong to all of these categories', collectList)
    .option('--sort-by <field>', 'in the order of name or kind (default: of groups)')
    .option('--no-headers', 'rows alone')
    .option('--show-managed-fields', 'without effect: there are none')
    .option('--cached', 'without effect, since nothing is kept here: the server is always asked')
    .action(async (words: string[], flags: ApiResourcesFlags, self: Command) => {
      if (words.length > 0) usageError(self, `unexpected arguments: [${words.join(' ')}]`);
      await (await import('../commands/objects/api-resources.ts')).apiResources(flags);
    });
}

function addApiVersions(program: Command): Command {
  return withKubeFlags(program.command('api-versions'))
    .description('list the API versions that the server has, as GROUP/VERSION')
    .argument('[words...]')
    .usage('[flags]')
    .action(async (words: string[], flags: KubeFlags, self: Command) => {
      if (words.length > 0) usageError(self, `unexpected arguments: [${words.join(' ')}]`);
      await (await import('../commands/objects/api-versions.ts')).apiVersions(flags);
    });
}

function addVersion(program: Command): Command {
  return withOutput(withKubeFlags(program.command('version')), ['json', 'yaml'])
    .description('print the versions of this program and of the server')
    .option('--client', 'of this program alone')
    .action(async (flags: VersionFlags) => (await import('../commands/objects/version.ts')).version(flags));
}

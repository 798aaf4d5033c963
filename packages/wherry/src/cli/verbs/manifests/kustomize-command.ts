import { type Command, Option } from 'commander';
import type { KustomizeFlags } from '../../../commands/kustomize/kustomize.ts';
import { withKubeFlags } from '../../flags/kube-flags.ts';
import { usageError, withRefused } from '../../flags/usage-errors.ts';

/** What runs programs, which a kustomization is not let here. */
const leftOut = [
  ...['--enable-helm', '--enable-alpha-plugins', '--enable-exec', '--network', '--as-current-user'],
  ...[
    '--helm-debug',
    '--helm-command <path>',
    '--helm-api-versions <version>',
    '--helm-kube-version <version>',
  ],
  ...['--network-name <name>', '--mount <storage>', '-e, --env <variable>'],
];

/** `kustomize`: what comes of a kustomization. */
export function addKustomize(program: Command): Command {
  const command = withKubeFlags(program.command('kustomize'))
    .description('print the objects that a kustomization makes')
    .usage('[FOLDER] [flags]')
    .argument('[folders...]')
    .option('-o, --output <path>', 'into this file, or a file each into this folder')
    .addOption(
      new Option('--load-restrictor <name>', 'which files it may name: those of its folder, or any')
        .choices(['LoadRestrictionsRootOnly', 'LoadRestrictionsNone'])
        .default('LoadRestrictionsRootOnly'),
    )
    .option('--enable-managedby-label', 'label all objects app.kubernetes.io/managed-by');
  withRefused(command, leftOut, 'runs programs of others, which is left to kubectl kustomize');
  return command.action(async (folders: string[], flags: KustomizeFlags, self: Command) => {
    if (folders.length > 1)
      usageError(self, 'specify one path to a kustomization directory; "wherry kustomize FOLDER"');
    await (await import('../../../commands/kustomize/kustomize.ts')).kustomize(folders[0] ?? '.', flags);
  });
}
